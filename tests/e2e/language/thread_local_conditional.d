/* A self-> variable is read before a branch creates it. After the branch it has the value set there. */
#pragma D option quiet

self int a, b, c, d; self string s;

BEGIN { if (!self->a) self->a = 6; printf("%d\n", self->a); }
BEGIN { if (self->b) x = 1; else self->b = 7; self->b = self->b + 1; printf("%d\n", self->b); }
BEGIN { self->c ? 1 : (self->c = 9); printf("%d\n", self->c); }
BEGIN { self->d == 0 && (self->d = 3); printf("%d\n", self->d); }
BEGIN { if (self->s == NULL) self->s = "set"; printf("%s\n", self->s); }
BEGIN { printf("%d %d %d %d %s\n", self->a, self->b, self->c, self->d, self->s); exit(0); }
