/* Actions on aggregations wait for the commit, too. */
#pragma D option quiet
BEGIN { @["x"] = count(); a = speculation(); }
BEGIN { speculate(a); printa("%s %@d\n", @); clear(@); }
BEGIN { @["x"] = count(); printf("before\n"); }
BEGIN { commit(a); }
BEGIN { exit(0); }
