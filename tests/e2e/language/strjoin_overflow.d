/* strjoin() truncates at strsize. */
#pragma D option quiet

BEGIN {
  s = "0123456789abcdef"; s = strjoin(s, s); s = strjoin(s, s); s = strjoin(s, s); printf("%d\n", strlen(s));
  s = strjoin(s, s); printf("%d\n", strlen(s));
  s = strjoin(s, s); printf("%d\n", strlen(s));
  printf("%d %s\n", strlen(strjoin(s, "x")), substr(s, 252));
  exit(0);
}
