/* strcasecmp(): the order of two strings whose ASCII letters count as lower case. */
#pragma D option quiet
#pragma D option strsize=16

string none;

BEGIN { none = NULL; }
BEGIN {
  s = "PostgreSQL";
  printf("%d %d %d\n", strcasecmp(s, "postgresql"), strcasecmp("", ""), strcasecmp("a", "A"));
  printf("%d %d\n", strcasecmp(s, "postgres") > 0, strcasecmp("POSTGRES", s) < 0);
  /* `_` lies between the upper-case and the lower-case letters; `[` and `{` are not letters. */
  printf("%d %d\n", strcasecmp("A_", "ab") < 0, strcasecmp("[", "{") != 0);
  /* Strings are cut to strsize before the comparison. */
  printf("%d\n", strcasecmp("0123456789ABCDEFG", "0123456789abcdefh"));
  printf("%d %d\n", strcasecmp(execname, execname), strcasecmp(strjoin(s, "!"), strjoin("POSTGRESQL", "!")));
}
BEGIN { strcasecmp(none, "a"); }
BEGIN { strcasecmp("a", none); }
ERROR { printf("fault %d\n", arg4 == DTRACEFLT_BADADDR); }
BEGIN { exit(0); }
