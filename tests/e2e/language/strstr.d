/* strstr() returns the rest from the first match, or NULL. */
#pragma D option quiet

BEGIN {
  s = "foobarbaz";
  printf("[%s] [%s] [%s] [%s]\n", strstr(s, "ba"), strstr(s, "baz"), strstr(s, ""), strstr(s, s));
  printf("%d %d %d\n", strstr(s, "zz") == NULL, strstr(s, "foobarbazz") == NULL, strstr("", "a") == NULL);
  printf("%d %d\n", strstr(s, "bar") == "barbaz", strstr(s, "f") != NULL);
  printf("[%s]\n", strstr("aaab", "aab"));
  t = "bar"; printf("[%s] [%s]\n", strstr(s, t), strstr(strjoin(s, t), "zb"));
  printf("[%s]\n", strstr("", ""));
  exit(0);
}
