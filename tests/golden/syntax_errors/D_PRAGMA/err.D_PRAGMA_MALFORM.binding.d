#pragma D binding 1.6 x
int x;
