/* Variables of every integer type wrap at their own width. */
#pragma D option quiet

char c; unsigned char uc; short s; unsigned short us;
int i; unsigned int ui; long l; unsigned long ul;

BEGIN {
  c = 127; c++; uc = 255; uc++;
  s = 32767; s++; us = 65535; us++;
  i = 2147483647; i++; ui = 4294967295; ui++;
  l = 9223372036854775807; l++; ul = 0xffffffffffffffff; ul++;
  printf("%d %d %d %d %d %d %d %d\n", c, uc, s, us, i, ui, l, ul);
  c--; uc--; s--; us--; i--; ui--; l--; ul--;
  printf("%d %d %d %d %d %d %d %u\n", c, uc, s, us, i, ui, l, ul);
  c = 0x1234; uc = 0x1234; s = 0x123456; us = 0x12345678; i = 0x123456789a; ui = 0x9abcdef012;
  printf("%x %x %x %x %x %x\n", c, uc, s, us, i, ui);
  printf("%d %d %d %d\n", sizeof(c), sizeof(s), sizeof(i), sizeof(l));
  printf("%d %d %d %d %d %d\n", sizeof(int8_t), sizeof(uint16_t), sizeof(int32_t), sizeof(uint64_t), sizeof(long long), sizeof(size_t));
  exit(0);
}
