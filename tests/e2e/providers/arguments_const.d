/* An argument that only one of the probes declares const has the same type in both: pread64 and pwrite64.
 @@command: %T/only32 */
#pragma D option quiet

syscall::p[rw]*[de]64:entry /pid == $target/ { printf("%s %d\n", probefunc, args[2]); }
