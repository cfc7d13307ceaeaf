/* Prefix and postfix ++ and --. A variable that they create is 64 bits wide. Pointers step by objects. */
#pragma D option quiet

BEGIN {
  x = 5;
  printf("%d %d %d\n", x++, x, ++x);
  printf("%d %d %d\n", x--, x, --x);
  fresh++; fresh++;
  printf("%d %d\n", fresh, sizeof(fresh));
  --down; printf("%d\n", down);
  self->s++; self->s++; printf("%d\n", self->s);
  this->t = 9; this->t--; printf("%d\n", this->t);
  a["k"]++; ++a["k"]; printf("%d\n", a["k"]++);
  p = (int *)16; p++; q = (char *)16; q++;
  printf("%p %p %p\n", p, q, ++p);
  exit(0);
}
