/* A global, a self->, a this-> variable and an aggregation of one name are four different objects. */
#pragma D option quiet

BEGIN {
  x = 1; self->x = 2; this->x = "three"; @x = sum(4);
  printf("%d %d %s\n", x, self->x, this->x);
  printa("%@d\n", @x);
  exit(0);
}
