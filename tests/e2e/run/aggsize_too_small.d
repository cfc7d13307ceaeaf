/* An aggsize too small for one element is rejected. */
#pragma D option quiet
#pragma D option aggsize=4

BEGIN { @[1] = count(); exit(0); }
