/* A pattern that has matched something before: with rtldstop the target waits for what of its libraries matches it too.
 @@options: -x rtldstop
 @@command: %T/loads */
#pragma D option quiet

pid$target::[pm][la][ui][gn]*:entry { printf("%s of %s\n", probefunc, probemod); }
