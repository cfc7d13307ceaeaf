/* A command that waits for dscope at each library load, for a description that matches none of the libraries.
 @@options: -Z
 @@command: %T/loads */
#pragma D option quiet

pid$target:libnone.so:plugged:entry { printf("entered %d\n", arg0); }
proc:::exit /pid == $target/ { printf("%d\n", args[0]); }
