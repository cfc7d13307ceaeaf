/* lltostr() with a base: signed in base 10, otherwise unsigned; prefixes for bases 16 and 8. */
#pragma D option quiet
BEGIN
{
  printf("%s %s %s\n", lltostr(-255, 10), lltostr(255, 16), lltostr(-1, 16));
  printf("%s %s %s\n", lltostr(8, 8), lltostr(0, 8), lltostr(0, 16));
  printf("%s %s\n", lltostr(-1, 2), lltostr(35, 36));
  self->base = 7;
  printf("%s\n", lltostr(50, self->base));
}
BEGIN { printf("%s\n", lltostr(1, self->base - 6)); }
BEGIN { exit(0); }
