/* aggsortkeypos selects the key that is compared first. Comparison wraps around to the keys before it. */
#pragma D option quiet
#pragma D option aggsortkey
#pragma D option aggsortkeypos=1

BEGIN { @a[1, 3] = sum(1); @a[2, 2] = sum(1); @a[3, 1] = sum(1); @a[4, 1] = sum(1); exit(0); }
