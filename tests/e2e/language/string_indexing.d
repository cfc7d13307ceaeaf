/* s[i], *s and s + i work on strings as on char pointers. */
#pragma D option quiet

BEGIN {
  s = "hello";
  printf("%c%c%c %d\n", s[0], s[4], *s, s[5]);
  printf("%s %s\n", s + 1, s + 5);
  i = 3; printf("%c %s\n", s[i], s + i);
  printf("%d %c\n", "abc"[1], *(s + 2));
  printf("%d\n", execname[0] == 'd');
  exit(0);
}
