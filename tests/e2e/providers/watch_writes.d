/* Writes to a variable of the program, in both of its threads: each is seen when it is done, with where it was done.
 @@command: %T/watched 3 */
#pragma D option quiet

watch:a.out:counter:w8 { printf("%d %s %d %s\n", *(long *)copyin(arg0, 8), probefunc, tid == pid, execname); @[ufunc(arg1)] = count(); }
END { printa("%A %@d\n", @); }
