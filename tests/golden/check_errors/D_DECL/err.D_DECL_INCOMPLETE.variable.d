struct nosuch x;
BEGIN { exit(0); }
