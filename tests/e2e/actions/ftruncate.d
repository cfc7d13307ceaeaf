/* @@options: -w
 * ftruncate(): empties a file, and discards the start of the row too. It does nothing to other streams. */
BEGIN { trace("kept"); ftruncate(); }
BEGIN { freopen("/tmp/dscope-ftruncate-%d", $pid); trace("gone"); }
BEGIN { trace("gone too"); ftruncate(); trace("stays"); }
BEGIN { trace("as well"); freopen(""); }
BEGIN { system("cat /tmp/dscope-ftruncate-%d; rm /tmp/dscope-ftruncate-%d", $pid, $pid); exit(0); }
