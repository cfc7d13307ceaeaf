/* trunc() in END before the default print. */
#pragma D option quiet

BEGIN { @[1] = sum(10); @[2] = sum(20); @[3] = sum(30); @[4] = sum(40); exit(0); }
END { trunc(@, 2); }
