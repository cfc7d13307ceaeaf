/* One element fits: string keys count with their maximum size.
 @@options: -x cpu=0 -x droptags */
#pragma D option quiet
#pragma D option aggsize=1024
#pragma D option strsize=512

BEGIN { @["a"] = count(); @["b"] = count(); @["a"] = count(); exit(0); }
