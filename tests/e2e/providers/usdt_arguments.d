/* A probe at two places, whose arguments are in different places too.
 @@command: %T/probes 2 */
#pragma D option quiet

shop$target:::sale { printf("%s %d %s %d\n", probefunc, args[0], copyinstr(arg1), args[2]); }
