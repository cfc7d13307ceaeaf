/* arg0 to arg5 and args[] of a system call, with their types.
 @@command: %T/calls write 2 */
#pragma D option quiet

syscall::write:entry /pid == $target/ { printf("%d %d %d %d\n", arg2, args[2], sizeof(args[2]), arg0 == args[0]); self->fd = arg0; }
syscall::write:return /pid == $target/ { printf("%d %d %d %d %d %d\n", arg0, arg1, args[0], args[1], sizeof(args[0]), errno); }
