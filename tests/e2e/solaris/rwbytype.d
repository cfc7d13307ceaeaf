/* Written bytes by type of file.
 @@options: -x compat=solaris
 @@command: %T/calls write 5 */
#pragma D option quiet

syscall::write:entry /pid == $target && fds[arg0].fi_name != "<none>"/ { self->fd = arg0; self->ok = 1; }
syscall::write:return /self->ok && arg0 > 0/ { @[execname, fds[self->fd].fi_fs, basename(fds[self->fd].fi_pathname)] = sum(arg0); }
syscall::write:return /self->ok/ { self->ok = 0; self->fd = 0; }
END { printa("%s %s %s %@d\n", @); }
