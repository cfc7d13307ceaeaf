/* A pattern that already matches: with rtldstop the target still waits for matches in libraries loaded later.
 @@options: -x rtldstop
 @@command: %T/loads */
#pragma D option quiet

pid$target::[pm][la][ui][gn]*:entry { printf("%s of %s\n", probefunc, probemod); }
