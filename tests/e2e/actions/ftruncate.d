/* @@options: -w
 * ftruncate(): of a file, nothing is left, not even the beginning of the row. Elsewhere nothing happens. */
BEGIN { trace("kept"); ftruncate(); }
BEGIN { freopen("/tmp/dscope-ftruncate-%d", $pid); trace("gone"); }
BEGIN { trace("gone too"); ftruncate(); trace("stays"); }
BEGIN { trace("as well"); freopen(""); }
BEGIN { system("cat /tmp/dscope-ftruncate-%d; rm /tmp/dscope-ftruncate-%d", $pid, $pid); exit(0); }
