/* A newly forked process has the arguments of its parent.
 @@command: %T/forks */
#pragma D option quiet

proc:::create /pid == $target/ { printf("%s %d\n", basename(args[0]->pr_psargs), args[0]->pr_argc); exit(0); }
