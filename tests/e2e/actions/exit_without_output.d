/* A quiet run without output prints the newline at exit. */
#pragma D option quiet

BEGIN { exit(0); }
