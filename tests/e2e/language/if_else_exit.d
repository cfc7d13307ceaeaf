/* exit() inside a branch, and records of two branches. */
#pragma D option quiet

tick-1ms {
  n++;
  if (n % 2) printf("odd %d\n", n); else { printf("even"); printf(" %d\n", n); }
  if (n == 4) exit(0);
}
