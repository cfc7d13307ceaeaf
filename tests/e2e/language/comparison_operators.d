/* Integers compare all 64 bits in the signedness of the promoted type: (int)-1 differs from 0xffffffff. */
#pragma D option quiet

BEGIN {
  a = -1; b = 1u; c = 1;
  printf("%d%d%d%d%d%d\n", a < c, a <= c, a > c, a >= c, a == c, a != c);
  printf("%d%d%d%d\n", a < b, a > b, a == b, a != b);
  l = (long)-1; u = 0xffffffff;
  printf("%d%d%d\n", l < u, l == u, a == u);
  ul = 0xffffffffffffffff;
  printf("%d%d%d\n", l == ul, l < ul, ul > 0);
  printf("%d%d%d\n", -1 < 1u, -1 < 1, (char)200 < 0);
  exit(0);
}
