/* The usual pair: self->t at entry, the time at return.
 @@command: %T/calls getppid 100 */
#pragma D option quiet

syscall::getppid:entry /pid == $target/ { self->t = timestamp; }
syscall::getppid:return /self->t && timestamp >= self->t && timestamp - self->t < 1000000000/ { @ = count(); self->t = 0; }
syscall::getppid:return /self->t/ { @bad = count(); }
