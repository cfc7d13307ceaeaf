/* A width of thousands of columns. */
#pragma D option quiet

BEGIN { printf("%3000d|%s\n", 7, "end"); exit(0); }
