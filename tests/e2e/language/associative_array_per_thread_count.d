/* Each thread has its own elements in self->a[k].
 @@command: %T/calls threads 3 50 */
#pragma D option quiet

syscall::getppid:entry /pid == $target/ { self->c["calls"]++; }
syscall::getppid:entry /pid == $target && self->c["calls"] == 50/ { @ = count(); }
