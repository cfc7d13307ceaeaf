/* Later clauses read the variables that an ERROR clause sets, including self->. */
#pragma D option quiet

BEGIN { self->b = 2; trace(*(int *)64); }
ERROR { self->b += 10; c = arg4; }
BEGIN { printf("%d %d\n", self->b, c); exit(0); }
