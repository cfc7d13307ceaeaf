/* @@options: -x droptags */
#pragma D option quiet
#pragma D option nspec=2

BEGIN { printf("%d %d ", speculation(), speculation()); }
BEGIN { printf("%d %d\n", speculation(), speculation()); exit(0); }
