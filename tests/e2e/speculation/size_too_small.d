/* Four numbers after the header of 16 bytes do not fit: the clause ends at the fourth number and loses its data. */
#pragma D option quiet
#pragma D option specsize=47
long long x;
BEGIN { x = 123456789; self->speculateFlag = 0; self->commitFlag = 0; self->spec = speculation(); printf("Speculative buffer ID: %d\n", self->spec); }
BEGIN { speculate(self->spec); printf("%lld: Lots of data\n", x); printf("%lld: Has to be crammed\n", x); printf("%lld: Until it overflows\n", x); printf("%lld: And causes flops\n", x); self->speculateFlag++; }
BEGIN /1 <= self->speculateFlag/ { commit(self->spec); self->commitFlag++; }
BEGIN /1 <= self->commitFlag/ { printf("Statement was executed\n"); exit(1); }
BEGIN /1 > self->commitFlag/ { printf("Statement was not executed\n"); exit(0); }
