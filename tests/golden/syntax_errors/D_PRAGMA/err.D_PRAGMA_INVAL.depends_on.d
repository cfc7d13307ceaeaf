#pragma D depends_on nosuch x
BEGIN { exit(0); }
