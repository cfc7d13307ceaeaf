/* A NULL string faults in string functions and in an index. */
#pragma D option quiet

string s;

BEGIN { trace(strlen(NULL)); }
BEGIN { trace(strlen(strstr("a", "b"))); }
BEGIN { s = NULL; trace(strjoin("a", s)); }
BEGIN { trace(substr(s, 1)); }
BEGIN { trace(strstr(s, "x")); }
BEGIN { trace(basename(s)); }
BEGIN { trace(s[3]); }
BEGIN { trace(stringof(NULL)); }
BEGIN { printf("%d\n", s == NULL); exit(0); }
ERROR { printf("%d %d %d %d %d\n", arg0, arg1, arg2, arg4, arg5); }
