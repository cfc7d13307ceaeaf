/* strtoll(): white space, sign, 0x in base 16, digits of the base up to the first other character. */
#pragma D option quiet
BEGIN
{
  printf("%d %d %d %d\n", strtoll("123"), strtoll(" \t-45x6"), strtoll("+7"), strtoll(""));
  printf("%d %d %d %d\n", strtoll("ff", 16), strtoll("FFz", 16), strtoll("0x10", 16), strtoll("zz", 36));
  printf("%d %d\n", strtoll("-9223372036854775808"), strtoll("10", 2));
  self->base = 1;
}
BEGIN { printf("%d\n", strtoll("1", self->base)); }
BEGIN { printf("%d\n", strtoll("1", 37)); }
BEGIN { printf("%d\n", strtoll(NULL)); }
BEGIN { exit(0); }
