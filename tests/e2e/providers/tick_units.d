/* Every unit of a rate. */
#pragma D option quiet

tick-1000000ns, tick-1000000nsec, tick-1000us, tick-1000usec, tick-1ms, tick-1msec, tick-1000hz, tick-1000 { n++; seen[n]++; }
tick-1s, tick-1sec, tick-1m, tick-1min, tick-1h, tick-1hour, tick-1d, tick-1day /0/ { }
tick-10ms /n > 40/ { exit(0); }
