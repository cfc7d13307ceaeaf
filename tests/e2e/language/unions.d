/* Members of a union share their bytes. */
#pragma D option quiet

union mix { long l; int i; unsigned char b[8]; };
union mix u;

BEGIN {
  u.l = 0x1122334455667788;
  printf("%x %x %x\n", u.i, u.b[0], u.b[7]);
  u.b[0] = 0; printf("%x\n", u.l);
  printf("%d\n", sizeof(union mix));
  exit(0);
}
