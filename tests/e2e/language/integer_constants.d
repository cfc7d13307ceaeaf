/* Decimal, octal, hexadecimal, suffixed and character constants and their types. */
#pragma D option quiet

BEGIN {
  printf("%d %d %d %d\n", 10, 010, 0x10, 0XfF);
  printf("%d %d %d %d %d\n", sizeof(1), sizeof(1l), sizeof(1ull), sizeof(2147483648), sizeof(0x80000000));
  printf("%d %d\n", 4294967295u, 0xffffffffffffffff);
  printf("%d %d %d %x\n", 'a', '\n', '\377', 'ab');
  printf("%d %x %d\n", sizeof('a'), 'abcdefgh', sizeof('abcdefgh'));
  printf("%d %d %d\n", '\x41', '\101', '\\');
  exit(0);
}
