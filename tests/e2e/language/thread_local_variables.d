/* self-> variables belong to the thread. Assigning 0 removes them. */
#pragma D option quiet

self uint8_t u; self int never;

BEGIN { self->n = 12; self->s = "str"; self->u = 300; self->p = curthread; }
BEGIN { printf("%d %s %d %d\n", self->n, self->s, self->u, self->p == curthread); self->n = 0; self->s = 0; }
BEGIN { printf("%d %d %d\n", self->n, self->s == NULL, self->u); self->n++; }
BEGIN { printf("%d\n", self->n); self->n = 0; self->n--; printf("%d\n", self->n); }
BEGIN { self->u += 1; printf("%d %d\n", self->u, self->never); exit(0); }
END { printf("%d\n", self->u); }
