/* A process ended by a signal; the signal that is delivered is the one that was sent.
 @@command: %T/tasks killed */
#pragma D option quiet

proc:::signal-handle /pid == $target/ { printf("signal %d\n", args[0]); }
proc:::exit /pid == $target/ { printf("kind %d, signal %d\n", args[0] == CLD_KILLED, arg1 & 0x7f); }
