int x;
char x;
BEGIN { exit(0); }
