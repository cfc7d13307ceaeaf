/* strjoin() and strlen(). */
#pragma D option quiet

BEGIN {
  s = "hello";
  printf("[%s]\n", lltostr(strlen(s)));
  printf("[%s]\n", lltostr(strlen("")));
  printf("[%s]\n", lltostr(strlen(strjoin(s, s))));
  printf("[%s]\n", strjoin(s, " world"));
  printf("[%s]\n", strjoin("", s));
  printf("[%s]\n", strjoin(s, ""));
  printf("[%s]\n", strjoin("", ""));
  printf("[%s]\n", strjoin(strjoin("a", "b"), strjoin("c", "d")));
  printf("[%s]\n", strjoin(execname, probename));
  exit(0);
}
