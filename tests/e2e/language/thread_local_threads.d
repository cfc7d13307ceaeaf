/* Every thread has its own self-> variables.
 @@command: %T/calls threads 4 100 */
#pragma D option quiet

syscall::getppid:entry /pid == $target/ { self->n++; }
syscall::getppid:entry /pid == $target && self->n == 100/ { @ = count(); }
