/* A command that executes another one on the way to main() is followed there.
 @@options: -x evaltime=main
 @@command: %T/starts %T/functions */
#pragma D option quiet

pid$target:functions:hidden:entry { printf("%s %s(%d)\n", probemod, probefunc, arg0); }
