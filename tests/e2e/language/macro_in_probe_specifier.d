/* $target and $1 inside a probe specifier.
 @@options: getppid
 @@command: %T/calls getppid 17 */
#pragma D option quiet

syscall::$1:entry /pid == $target/ { @ = count(); }
