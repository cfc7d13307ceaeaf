/* timestamp is constant within a clause and never decreases within a thread. vtimestamp counts CPU time,
 * even between two ticks of the kernel.
 @@command: %T/calls getppid 50 */
#pragma D option quiet

syscall::getppid:entry /pid == $target/ { self->t = timestamp; self->v = vtimestamp; }
syscall::getppid:return /self->t/ { @t[timestamp >= self->t, vtimestamp >= self->v, timestamp - timestamp] = count(); }
/* A thread that has just started has no CPU time yet. */
sched:::on-cpu { @most = max(vtimestamp > timestamp); }
syscall::getppid:return /self->t/ { @moves = max(vtimestamp > self->v); }
