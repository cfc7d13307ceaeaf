/* A command that executes another program before main() is followed into it.
 @@options: -x evaltime=main
 @@command: %T/starts %T/functions */
#pragma D option quiet

pid$target:functions:hidden:entry { printf("%s %s(%d)\n", probemod, probefunc, arg0); }
