/* Precedence and associativity as in the table of operators. */
#pragma D option quiet

BEGIN {
  a = 2; b = 3; c = 4;
  printf("%d %d %d\n", a + b * c, (a + b) * c, a - b - c);
  printf("%d %d\n", a << b + 1, a | b & c);
  printf("%d %d\n", a ^ b | c, a & b == b);
  printf("%d %d\n", a < b == b < c, a || b && 0);
  printf("%d %d\n", -a * b, !a + b);
  printf("%d %d\n", c / a * b, c % b * a);
  printf("%d %d\n", sizeof a + 1, ~a + 1);
  printf("%d\n", 1 || 1 ^^ 1);
  x = a == 2 ? b : c ? 7 : 8; printf("%d\n", x);
  printf("%d\n", (char)a + 300);
  exit(0);
}
