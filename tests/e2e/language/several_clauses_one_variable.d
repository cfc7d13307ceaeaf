/* Clauses of different probes share global variables.
 @@command: %T/calls getppid 3 */
#pragma D option quiet

BEGIN { n = 10; a["k"] = 1; }
syscall::getppid:entry /pid == $target/ { n++; a["k"] += 2; }
END { printf("%d %d\n", n, a["k"]); }
