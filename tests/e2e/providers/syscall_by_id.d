/* A probe by its number: BEGIN is 1, END is 2. */
#pragma D option quiet

1 { @[probename] = count(); exit(0); }
2 { @[probename] = count(); }
