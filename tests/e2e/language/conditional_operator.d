/* ?: with integers, strings, pointers, nested. Only one side is evaluated. */
#pragma D option quiet

int row[3];
int *other;
inline int SECOND[int *p] = p[1];

BEGIN {
  x = 3; n = 0;
  printf("%d %d\n", x > 2 ? 10 : 20, x > 5 ? 10 : 20);
  printf("%s %s\n", x == 3 ? "three" : "other", x == 4 ? "four" : "not four");
  printf("%s\n", x == 1 ? "one" : x == 2 ? "two" : x == 3 ? "three" : "many");
  y = x ? n : n++; printf("%d %d\n", y, n);
  z = x ? (n += 2, n) : 0; printf("%d %d\n", z, n);
  s = x ? execname == "nobody" ? "nobody" : "somebody" : "none"; printf("%s\n", s);
  printf("%d\n", (x ? (char)-1 : 1000));
  p = x ? curthread : NULL; printf("%d\n", p == curthread);
  row[1] = 5; q = x ? row : other; printf("%d %d", q[1], (1 ? row : other)[1]);
  (x ? row : other)[2] = 6; printf(" %d %d\n", SECOND[x ? row : other], row[2]);
  exit(0);
}
