/* Integer conversions: signs, widths, flags, precision, size letters. */
#pragma D option quiet

BEGIN {
  printf("[%d] [%5d] [%-5d] [%05d] [%+d] [% d]\n", 42, 42, 42, 42, 42, 42);
  printf("[%d] [%i] [%u] [%x] [%X] [%o]\n", -1, -1, -1, -1, -1, -1);
  printf("[%x] [%#x] [%#o] [%8.4d] [%-8.4d|]\n", 255, 255, 8, 42, 42);
  printf("[%d] [%u] [%x]\n", (char)-17, (char)-17, (char)-17);
  printf("[%d] [%x] [%o]\n", (short)-2, (short)-2, (short)-2);
  printf("[%d] [%d] [%d]\n", 4294967295u, 0xffffffffffffffff, (unsigned char)255);
  printf("[%ld] [%lld] [%lu] [%llx] [%hd]\n", 1l, 2ll, 3ul, 4ull, (short)5);
  printf("[%c%c%c] [%5c] [%-5c]\n", 'a', 98, 0x63, 'x', 'y');
  printf("[%*d] [%-*d] [%*d]\n", 6, 1, 6, 2, -6, 3);
  printf("[%.*d] [%*.*d]\n", 4, 7, 8, 3, 9);
  printf("[%%] [%d%%]\n", 50);
  printf("[%p] [%p]\n", 255, (void *)0x1000);
  printf("[%'d]\n", 1234567);
  printf("[%?x]\n", 255);
  exit(0);
}
