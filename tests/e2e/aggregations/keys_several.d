/* Tuples of many kinds. Integers of a different size than in the first use are converted. */
#pragma D option quiet

BEGIN { @a[1, "s", (char)2, 3l, execname] = count(); @a[1l, "s", 2, (short)3, "dscope"] = count(); @b[pid == $pid, uid, "k"] = sum(4); @c[300, (char)44] = count(); @c[300, 300] = count();
  @h[1, 2, 3, 4, 5, 6, 7, 8, 9, 10] = count(); exit(0); }
