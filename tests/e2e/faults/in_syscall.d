/* Faults of a system call probe: ERROR has the thread and the probe names of the faulting firing.
 @@command: %T/calls getppid 2 */
#pragma D option quiet

syscall::getppid:entry /pid == $target/ { n++; trace(*(int *)n); }
syscall::getppid:return /pid == $target/ { @ = count(); }
ERROR { printf("%s %d %d %d\n", execname, pid == $target, arg4, arg5); }
