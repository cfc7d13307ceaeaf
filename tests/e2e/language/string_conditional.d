/* A ternary on strings of different origin keeps the longer capacity. */
#pragma D option quiet

BEGIN {
  x = 1;
  s = x ? execname : "a very long constant string indeed"; printf("%s\n", s);
  s = x ? "a very long constant string indeed" : execname; printf("%s\n", s);
  s = x == 2 ? "two" : x == 1 ? strjoin("o", "ne") : probename; printf("%s\n", s);
  printf("%s\n", x ? probename : probefunc);
  exit(0);
}
