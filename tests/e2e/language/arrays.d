/* Scalar arrays: elements, run-time index, two dimensions, addresses. */
#pragma D option quiet

int a[10]; int m[3][3]; this int t[5]; char c[8];

BEGIN {
  a[0] = 1; a[9] = 10; i = 4; a[i] = 5; a[i + 1] = a[i] + 1;
  printf("%d %d %d %d %d\n", a[0], a[4], a[5], a[9], a[1]);
  m[1][2] = 12; m[2][1] = 21; printf("%d %d %d\n", m[1][2], m[2][1], m[0][0]);
  a[i]++; a[i] *= 2; printf("%d\n", a[4]);
  p = &a[4]; printf("%d %d\n", *p, *(p + 1));
  this->t[3] = 7; printf("%d\n", this->t[3]);
  c[1] = 'h'; c[2] = 'i'; c[0] = '>'; printf("%s\n", stringof(c));
  printf("%d %d\n", sizeof(a), sizeof(m));
  exit(0);
}
