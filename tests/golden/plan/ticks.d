/* A tick that says nothing about what it interrupts is fired by the consumer's timer. */
tick-1 { ticks++; printf("%d\n", ticks); }
tick-10 { @[pid] = count(); }
