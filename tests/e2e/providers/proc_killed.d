/* A process killed by a signal. The delivered signal is the signal that was sent.
 @@command: %T/tasks killed */
#pragma D option quiet

proc:::signal-handle /pid == $target/ { printf("signal %d\n", args[0]); }
proc:::exit /pid == $target/ { printf("kind %d, signal %d\n", args[0] == CLD_KILLED, arg1 & 0x7f); }
