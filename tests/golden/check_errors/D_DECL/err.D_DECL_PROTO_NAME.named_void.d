int f(void v);
BEGIN { exit(0); }
