/* String keys: constants, variables, builtin strings, the empty string, longer than 50 columns. */
#pragma D option quiet

BEGIN { s = "var"; @a["const"] = sum(1); @a[s] = sum(2); @a[execname] = sum(3); @a[""] = sum(4); @a[probename] = sum(5); @a[strjoin(s, s)] = sum(6);
  @a["a key that is longer than fifty columns, and so overflows them"] = sum(7); @a[stringof(curthread->comm)] = sum(10);
  @p[probeprov, probemod, probefunc, probename] = count(); exit(0); }
