/* @@options: -w
 * The output of the row so far precedes the output of the command. */
BEGIN { trace("before"); system("echo command"); trace("after"); }
BEGIN { exit(0); }
