/* Rows of clauses that store `timestamp` or 0 in a thread-local variable begin and end slices of timelines. */
#pragma D option rowstamps
syscall::read:entry { self->t = timestamp; self->unused = timestamp; printf("begins"); }
syscall::write:entry /self->t/ { printf("%d", timestamp - self->t); self->t = 0; }
syscall::read:return { self->t = 0; }
syscall::open:entry { if (arg0) self->t = 0; printf("may end"); }
syscall::close:entry { self->t = arg0; printf("is no time"); }
syscall::close:return { self->u[arg0] = timestamp; self->u[arg0] = 0; printf("has keys"); }
