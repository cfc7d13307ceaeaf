/* Operands that ?:, && and || do not evaluate cannot fault. */
#pragma D option quiet

int zero;

BEGIN { printf("%d %d %d\n", zero ? 1 / zero : 5, zero && 1 / zero, !zero || *(int *)64); exit(0); }
