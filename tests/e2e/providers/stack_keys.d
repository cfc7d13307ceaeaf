/* stack() as a key: equal stacks are one element.
 @@command: %T/calls getppid 8 */
#pragma D option quiet

syscall::getppid:entry /pid == $target/ { @[stack()] = count(); @u[ustack(1)] = count(); @n[stack(1), probefunc, 3] = count(); }
END { printa("kernel %@d\n", @); printa("user %@d\n", @u); printa("%@d\n", @n); }
