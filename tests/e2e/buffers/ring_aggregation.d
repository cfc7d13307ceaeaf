/* printa() and clear() run when the rows are printed, on the values at the end of the run. */
/* @@options: -q -x bufpolicy=ring -x cpu=0 */
BEGIN { @ = sum(1); printa("%@d\n", @); @ = sum(2); }
BEGIN { exit(0); }
END { clear(@); printa("%@d\n", @); }
