/* @@options: -w -x strsize=16
 * Commands are truncated to strsize. */
#pragma D option quiet

BEGIN { system("echo 0123456789abcdef"); system("echo 0123456789"); exit(0); }
