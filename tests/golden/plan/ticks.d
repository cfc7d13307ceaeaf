/* The consumer's timer fires a tick that reads nothing of the interrupted context. */
tick-1 { ticks++; printf("%d\n", ticks); }
tick-10 { @[pid] = count(); }
