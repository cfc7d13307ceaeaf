/* Members of D structs of every kind: scalars, arrays, strings, nested structs, bit-fields; assignment by value. */
#pragma D option quiet

struct inner { short x; int y; };
struct outer { int i; char c; long l; struct inner in; int arr[4]; string s; };
struct outer a, b; this struct outer t; self struct outer u; struct outer e[int];
struct flags { unsigned int lo : 4; unsigned int hi : 3; };
struct flags bits;

BEGIN {
  a.i = 1; a.c = 300; a.l = -5; a.in.x = 7; a.in.y = 8; a.arr[2] = 9; a.s = "text";
  b = a; a.i = 100; a.s = "changed";
  printf("%d %d %d %d %d %d %s\n", b.i, b.c, b.l, b.in.x, b.in.y, b.arr[2], b.s);
  printf("%d %s\n", a.i, a.s);
  this->t = a; printf("%d %d\n", this->t.i, this->t.arr[2]);
  self->u = b; printf("%d %d\n", self->u.i, self->u.in.y);
  e[1] = b; printf("%d %s\n", e[1].i, e[1].s);
  a.i++; a.in.x += 5; printf("%d %d\n", a.i, a.in.x);
  bits.lo = 21; bits.hi = 3; printf("%d %d\n", bits.lo, bits.hi);
  bits.lo = 0; printf("%d %d\n", bits.lo, bits.hi);
  exit(0);
}
