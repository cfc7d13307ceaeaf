# Every kind of object that this kernel can iterate, with all variables of the thread that such programs may read.
clauses=$(for kind in $(dscope -l -P iter | sed -e 1d -e 's/.* //'); do
  echo "iter::$kind: { self->seen = 1; @[pid, execname, stackdepth, self->seen] = count(); bad += args[0] == NULL; stack(1); }"
done)
dscope -qn "int bad; $clauses END { trunc(@, 0); printf(\"bad %d\", bad); }" 2>&1 | tail -n 1
