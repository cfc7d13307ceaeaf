/* lltostr() of numbers of every sign and size, and with a base. */
#pragma D option quiet

BEGIN {
  n = -123456;
  printf("[%s]\n", lltostr(0));
  printf("[%s]\n", lltostr(7));
  printf("[%s]\n", lltostr(-7));
  printf("[%s]\n", lltostr(9223372036854775807));
  printf("[%s]\n", lltostr(-9223372036854775807 - 1));
  printf("[%s]\n", lltostr(n));
  printf("[%s]\n", lltostr((char)200));
  exit(0);
}
