/* A probe at two sites, with arguments in different locations.
 @@command: %T/probes 2 */
#pragma D option quiet

shop$target:::sale { printf("%s %d %s %d\n", probefunc, args[0], copyinstr(arg1), args[2]); }
