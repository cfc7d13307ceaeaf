/* -F with quiet prints header and prefixes, but no newlines.
 @@options: -F
 @@command: %T/calls getppid 1 */

#pragma D option quiet
syscall::getppid:entry /pid == $target/ { printf("in\n"); }
syscall::getppid:return /pid == $target/ { printf("out\n"); }
