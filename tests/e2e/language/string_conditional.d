/* A ternary on strings of different origin has the longer capacity. NULL remains NULL, even if the condition is
 * constant. */
#pragma D option quiet

inline string NAMES[int n] = n == 1 ? "one" : n == 2 ? NULL : lltostr(n);

BEGIN {
  x = 1;
  s = x ? execname : "a very long constant string indeed"; printf("%s\n", s);
  s = x ? "a very long constant string indeed" : execname; printf("%s\n", s);
  s = x == 2 ? "two" : x == 1 ? strjoin("o", "ne") : probename; printf("%s\n", s);
  printf("%s\n", x ? probename : probefunc);
  s = 1 ? NULL : "a"; printf("%d", s == NULL);
  s = 0 ? "b" : (1 ? NULL : "a"); printf("%d", s == NULL);
  printf("%d%d", (1 ? NULL : "a") == NULL, (1 ? NULL : "a") < "");
  two = 2;
  printf("%d%d %s%s\n", NAMES[2] == NULL, NAMES[two] == NULL, NAMES[1], NAMES[two + 1]);
  exit(0);
}
