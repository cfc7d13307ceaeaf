/* && and || evaluate only what they need, ^^ evaluates both sides. */
#pragma D option quiet

BEGIN {
  n = 0; zero = 0; two = 2;
  printf("%d%d%d%d\n", two && two, two && zero, zero || two, zero || zero);
  printf("%d%d%d%d\n", two ^^ two, two ^^ zero, zero ^^ two, zero ^^ zero);
  r = zero && n++; printf("%d %d\n", r, n);
  r = two || n++; printf("%d %d\n", r, n);
  r = two && n++; printf("%d %d\n", r, n);
  r = zero || n++; printf("%d %d\n", r, n);
  r = two ^^ n++; printf("%d %d\n", r, n);
  printf("%d%d\n", !two, !!two);
  printf("%d\n", zero != 0 && 1 / zero);
  p = curthread;
  printf("%d%d%d\n", !p, p && 1, p != NULL);
  exit(0);
}
