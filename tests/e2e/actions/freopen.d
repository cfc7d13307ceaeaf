/* @@options: -w
 * freopen(): appends output to the file, and switches back. A failed open has no effect. */
#pragma D option quiet

BEGIN { printf("first\n"); freopen("/tmp/dscope-freopen-%d", $pid); printf("into the file\n"); }
BEGIN { printf("more\n"); freopen("/tmp/dscope-freopen-%d-%s", $pid, "b"); printf("another\n"); }
BEGIN { freopen("/tmp/dscope-freopen-%d", $pid); printf("appended\n"); }
BEGIN { freopen("/nonexistent/file"); printf("still there\n"); freopen("%s", ""); printf("back\n"); }
BEGIN { freopen("/tmp/dscope-freopen-%d", $pid); freopen(""); printf("back again\n"); freopen(""); }
BEGIN { system("cat /tmp/dscope-freopen-%d; rm /tmp/dscope-freopen-%d", $pid, $pid); }
BEGIN { system("cat /tmp/dscope-freopen-%d-b; rm /tmp/dscope-freopen-%d-b", $pid, $pid); exit(0); }
