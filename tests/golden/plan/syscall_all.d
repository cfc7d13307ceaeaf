/* One clause on every system call: one program, one clause list. The probe's name is a number in the key. */
syscall:::entry { @[probefunc] = count(); }
