/* substr() over its table, the string in a variable and as a constant. */
#pragma D option quiet

BEGIN {
  s = "foobarbazbop"; n = 3;
  printf("[%s]\n", substr(s, 3));
  printf("[%s]\n", substr(s, 12));
  printf("[%s]\n", substr(s, 300));
  printf("[%s]\n", substr(s, -10));
  printf("[%s]\n", substr(s, -12, 11));
  printf("[%s]\n", substr(s, 0, 3));
  printf("[%s]\n", substr(s, 3, -3));
  printf("[%s]\n", substr(s, -20, 10));
  printf("[%s]\n", substr(s, -20));
  printf("[%s]\n", substr(s, 0));
  printf("[%s]\n", substr(s, 1, 1));
  printf("[%s]\n", substr(s, 4, 0));
  printf("[%s]\n", substr(s, -3, 2));
  printf("[%s]\n", substr(s, -20, -1));
  printf("[%s]\n", substr(s, 2, -100));
  printf("[%s]\n", substr(s, 10, 100));
  printf("[%s]\n", substr("constant", n));
  printf("[%s]\n", substr("", 0));
  printf("[%s]\n", substr(substr(s, 3), 0, 3));
  printf("[%s]\n", substr("abc", n, -n));
  exit(0);
}
