/* The smallest strsize. */
#pragma D option quiet
#pragma D option strsize=2

BEGIN {
  s = "hello"; printf("%s %d %s\n", s, strlen(s), strjoin(s, s));
  @[s] = sum(3); printa("%s %@d\n", @);
  exit(0);
}
