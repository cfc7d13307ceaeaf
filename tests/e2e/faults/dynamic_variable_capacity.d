/* dynvarsize / (largest value + largest tuple): 100 / (4 + 4 + 4 + 8) elements of int a[int]. Thread-local variables
   count too, and deleted elements free their space. A store without space ends its clause. */
#pragma D option quiet
#pragma D option dynvarsize=100

BEGIN { a[1] = 1; a[2] = 1; a[3] = 1; a[4] = 1; a[5] = 1; n = 5; a[6] = 1; n = 6; }
BEGIN { printf("%d %d\n", n, a[6]); }
BEGIN { a[1] = 7; a[2]++; a[1] = 0; a[6] = 6; n = 7; a[8] = 1; n = 8; }
BEGIN { printf("%d %d %d\n", n, a[6], a[8]); }
BEGIN { zero = 0; a[2] = zero; a[3] = zero; self->x = 1; self->x = 2; n = 9; self->y = 1; n = 10; self->z = 1; n = 11; }
BEGIN { printf("%d %d %d\n", n, self->y, self->z); }
BEGIN { self->y = 0; self->x = zero; a[10] = 1; a[11] = 1; n = 12; a[12] = 1; n = 13; }
BEGIN { printf("%d %d %d %d\n", n, self->y, a[11], a[12]); exit(0); }
