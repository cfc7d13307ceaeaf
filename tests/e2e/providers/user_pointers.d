/* Pointer arguments of system calls point to user memory: their members and strings are read from there.
 @@command: %T/calls open /no/such/file 1 */
#pragma D option quiet

syscall::openat:entry /pid == $target && args[1] == "/no/such/file"/ {
  printf("%s %c%c %d\n", stringof(args[1]), *args[1], args[1][1], strlen(args[1]));
}
