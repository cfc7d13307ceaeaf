/* Quiet with no output at all prints the newline of the exit. */
#pragma D option quiet

BEGIN { exit(0); }
