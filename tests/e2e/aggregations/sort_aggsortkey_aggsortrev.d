/* Order of elements with aggsortkey and aggsortrev. */
#pragma D option quiet
#pragma D option aggsortkey
#pragma D option aggsortrev

BEGIN { @a[3] = sum(1); @a[1] = sum(1); @a[7] = sum(-5); @a[2] = sum(9); exit(0); }
