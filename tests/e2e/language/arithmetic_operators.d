/* The arithmetic operators on signed, unsigned and 64-bit operands. */
#pragma D option quiet

BEGIN {
  a = 17; b = 5; c = -17;
  printf("%d %d %d %d %d\n", a + b, a - b, a * b, a / b, a % b);
  printf("%d %d %d %d\n", c / b, c % b, a / -b, a % -b);
  printf("%d %d %d %d %d\n", -a, +a, ~a, !a, !(a - 17));
  u = 4294967290u;
  printf("%d %d %d\n", u / 7, u % 7, u + 10);
  m = -9223372036854775807 - 1; n = -1;
  printf("%d %d\n", m / n, m % n);
  i = -2147483647 - 1;
  printf("%d %d\n", i / n, i % n);
  l = 1000000007;
  printf("%d %d\n", l * l, (long)l * l);
  exit(0);
}
