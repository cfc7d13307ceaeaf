/* A aggsize smaller than one element is refused. */
#pragma D option quiet
#pragma D option aggsize=4

BEGIN { @[1] = count(); exit(0); }
