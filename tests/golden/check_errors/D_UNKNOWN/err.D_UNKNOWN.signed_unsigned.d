signed unsigned x;
BEGIN { exit(0); }
