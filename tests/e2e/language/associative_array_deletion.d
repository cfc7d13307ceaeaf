/* Deleted elements free their space: over time a script can create more elements than dynvarsize holds. */
#pragma D option quiet
#pragma D option dynvarsize=64

BEGIN {
  a[1] = 1; a[1] = 0; a[2] = 1; a[2] = 0; a[3] = 1; a[3] = 0; a[4] = 1; a[4] = 0;
  a[5] = 1; a[5] = 0; a[6] = 1; a[6] = 0; a[7] = 1; a[7] = 0; a[8] = 1; a[8] = 0;
  a[9] = 9;
  printf("%d %d\n", a[8], a[9]);
  zero = a[8]; a[9] = zero; printf("%d\n", a[9]);
  exit(0);
}
