/* A command that waits for us wherever it loads a library, for the sake of a description that matches none of them.
 @@options: -Z
 @@command: %T/loads */
#pragma D option quiet

pid$target:libnone.so:plugged:entry { printf("entered %d\n", arg0); }
proc:::exit /pid == $target/ { printf("%d\n", args[0]); }
