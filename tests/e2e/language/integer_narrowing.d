/* Results are narrowed to the wider operand type after each operation. Small types are not promoted to int. */
#pragma D option quiet

unsigned char uc; signed char sc; char c; int i; uint32_t u;

BEGIN {
  uc = 254; sc = 3; i = 2147483647; u = 0xffffffff;
  printf("%d\n", uc + sc);
  printf("%d %d\n", i + 1 > 0, u + 1 == 0);
  printf("%d %d\n", i + 1, u + 1);
  printf("%d\n", 2147483647 + 1);
  printf("%d\n", ~0u == 0xffffffff);
  printf("%d %d\n", i + i, i << 1);
  printf("%d %d\n", (i + 1) / 2, (long)i + 1);
  c = 100; printf("%d %d\n", c + c, c * 2);
  printf("%d\n", sizeof(c + c));
  exit(0);
}
