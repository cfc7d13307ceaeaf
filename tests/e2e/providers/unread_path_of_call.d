/* A path that the child has not touched, in a clause on the one call that opens it.
 @@command: %T/newborn open */
#pragma D option quiet

syscall::openat:entry /ppid == $target/ { printf("%s\n", copyinstr(arg1)); }
