int x;
#pragma D binding "1" x
BEGIN { exit(0); }
