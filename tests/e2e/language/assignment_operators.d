/* Every assignment operator, its value, and the order of evaluation. */
#pragma D option quiet

BEGIN {
  x = 10; printf("%d", x);
  x += 5; printf(" %d", x);
  x -= 3; printf(" %d", x);
  x *= 4; printf(" %d", x);
  x /= 5; printf(" %d", x);
  x %= 5; printf(" %d", x);
  x <<= 4; printf(" %d", x);
  x >>= 2; printf(" %d", x);
  x |= 3; printf(" %d", x);
  x &= 22; printf(" %d", x);
  x ^= 5; printf(" %d\n", x);
  y = z = 7; printf("%d %d\n", y, z);
  y = (z += 2) * 10; printf("%d %d\n", y, z);
  x = 3; x += x = 4; printf("%d\n", x);
  exit(0);
}
