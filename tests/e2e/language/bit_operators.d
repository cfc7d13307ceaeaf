/* & | ^ ~ at run time and folded. Unsigned operands remain unsigned. */
#pragma D option quiet

BEGIN {
  a = 0xf0; b = 0x3c; u = 0xf0f0f0f0;
  printf("%x %x %x %x\n", a & b, a | b, a ^ b, ~a);
  printf("%x %x %x\n", 0xf0 & 0x3c, 0xf0 | 0x3c, 0xf0 ^ 0x3c);
  printf("%u %d %d\n", ~u, u & 0xff, ~b);
  c = -1; d = 0xff00ff00ff;
  printf("%x %x\n", c & d, d ^ 0xffff);
  exit(0);
}
