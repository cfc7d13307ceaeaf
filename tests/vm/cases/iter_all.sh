# Every kind of object that this kernel can walk, with what programs may ask of the thread.
clauses=$(for kind in $(dscope -l -P iter | sed -e 1d -e 's/.* //'); do
  echo "iter::$kind: { self->seen = 1; @[pid, execname, stackdepth, self->seen] = count(); bad += args[0] == NULL; stack(1); }"
done)
dscope -qn "int bad; $clauses END { trunc(@, 0); printf(\"bad %d\", bad); }" 2>&1 | tail -n 1
