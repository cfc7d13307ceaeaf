/* Shift counts are modulo 64, >> is arithmetic for signed operands, results have the type of the left operand. */
#pragma D option quiet

BEGIN {
  one = 1; n = 65; m = -1;
  printf("%d %d\n", one << 4, one << 31);
  printf("%d %d\n", (long)one << 65, (long)one << n);
  printf("%d %d\n", one << 100, one << -6);
  printf("%d %d\n", m >> 1, (unsigned int)m >> 28);
  printf("%d %d\n", (long)m >> 63, (unsigned long)m >> 60);
  printf("%x\n", (long)one << m);
  k = -256;
  printf("%d %d\n", k >> 4, k << 2);
  exit(0);
}
