/* A failing call: the raw result and errno.
 @@command: %T/calls open /no/such/file 1 */
#pragma D option quiet

syscall::openat:entry /pid == $target && copyinstr(arg1) == "/no/such/file"/ { self->in = 1; printf("%d\n", errno); }
syscall::openat:return /self->in/ { printf("%d %d %d %d\n", (int)arg0, arg1 == -2, errno, errno == 2); self->in = 0; }
syscall::getppid:return /pid == $target/ { printf("never\n"); }
