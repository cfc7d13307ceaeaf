/* After ERROR has run, later clauses read the arguments of the faulting probe again.
 @@command: %T/calls write 5 */
#pragma D option quiet

syscall::write:entry /pid == $target && arg2 == 3/ { trace(*(int *)64); }
ERROR { printf("%d\n", arg4); }
syscall::write:entry /pid == $target && arg2 == 3/ { printf("%d %s\n", arg2, probefunc); }
