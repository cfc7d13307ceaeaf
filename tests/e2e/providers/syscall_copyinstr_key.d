/* copyinstr() as a key.
 @@command: %T/calls open /no/such/file 7 */
#pragma D option quiet

syscall::openat:entry /pid == $target && dirname(copyinstr(arg1)) == "/no/such"/ { @[copyinstr(arg1)] = count(); @b[basename(copyinstr(arg1)), arg2 & 3] = count(); }
