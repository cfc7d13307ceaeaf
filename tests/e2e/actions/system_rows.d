/* @@options: -w
 * What the row has so far comes before the output of the command. */
BEGIN { trace("before"); system("echo command"); trace("after"); }
BEGIN { exit(0); }
