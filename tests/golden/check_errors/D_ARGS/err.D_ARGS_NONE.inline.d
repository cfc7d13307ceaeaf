inline int x = args[0];
BEGIN { exit(x); }
