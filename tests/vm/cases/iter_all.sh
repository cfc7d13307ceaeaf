# Every kind of object that this kernel can walk, with what programs may ask of the thread.
for kind in $(dscope -l -P iter | sed -e 1d -e 's/.* //'); do
  dscope -qn 'int bad;
    iter::'$kind': { self->seen = 1; @[pid, execname, stackdepth, self->seen] = count(); bad += args[0] == NULL; stack(1); }
    END { trunc(@, 0); printf("%d", bad); }' >/tmp/walk 2>&1 || { echo "$kind"; cat /tmp/walk; }
  tail -n 1 /tmp/walk | grep -q '^0' || echo "$kind: $(tail -n 1 /tmp/walk)"
done
echo done
