/* Writes to a variable, by both threads of the program: each fires after the write, with its location.
 @@command: %T/watched 3
 @@watches */
#pragma D option quiet

watch:a.out:counter:w8 { printf("%d %s %d %s\n", *(long *)copyin(arg0, 8), probefunc, tid == pid, execname); @[ufunc(arg1)] = count(); }
END { printa("%A %@d\n", @); }
