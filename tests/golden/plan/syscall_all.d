/* One clause on every call: one program, one list; the probe's name is a number in the key. */
syscall:::entry { @[probefunc] = count(); }
