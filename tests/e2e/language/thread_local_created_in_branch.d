/* A thread-local variable is read before a branch creates it. Later reads return the value that the branch stored. */
#pragma D option quiet

self int m;
self int n;
BEGIN {
  if (!self->m) self->m = 6;
  printf("%d\n", self->m);
}
BEGIN {
  this->x = self->n ? 1 : (self->n = 7);
  printf("%d %d\n", self->n, this->x);
  exit(0);
}
