int x;
#pragma D option quiet
