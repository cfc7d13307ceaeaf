/* The comma operator yields its right operand. */
#pragma D option quiet

BEGIN {
  x = (1, 2, 3);
  printf("%d\n", x);
  y = (x++, x++, x);
  printf("%d %d\n", x, y);
  exit(0);
}
