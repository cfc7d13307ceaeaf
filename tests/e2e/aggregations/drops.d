/* New elements without room are counted and reported as drops. Existing elements are still updated.
 @@options: -x cpu=0 -x droptags -x aggsize=24 */
#pragma D option quiet

BEGIN { @[1] = count(); @[2] = count(); @[3] = count(); @[1] = count(); exit(0); }
