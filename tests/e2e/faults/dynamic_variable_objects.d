/* A struct, string or array counts as one element, however often its parts are stored: 2 elements fit. */
#pragma D option quiet
#pragma D option strsize=16
#pragma D option dynvarsize=40

struct pair { int x; int y; };
self struct pair p;
self string s;
self int v[4];

BEGIN { self->p.x = 1; self->p.y = 2; self->s = "abc"; self->s = "def"; n = 2; self->v[1] = 1; n = 3; }
BEGIN { printf("%d %d %s\n", n, self->p.y, self->s); }
BEGIN { self->p = 0; self->v[1] = 1; self->v[2] = 2; n = 4; self->p.x = 1; n = 5; }
BEGIN { printf("%d %d\n", n, self->v[2]); }
BEGIN { self->s = NULL; self->p.x = 3; n = 6; printf("%d %d\n", n, self->p.x); exit(0); }
