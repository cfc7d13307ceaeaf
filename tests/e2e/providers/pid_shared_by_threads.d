/* Threads share pid but not tid.
 @@command: %T/calls threads 6 100 */
#pragma D option quiet

self int seen;

syscall::getppid:entry /pid == $target/ { @calls = count(); @threads[tid != pid] = count(); self->first = !self->seen; self->seen = 1; }
syscall::getppid:entry /self->first/ { @distinct = count(); }
