extern int foo;
extern long foo;
BEGIN { exit(0); }
