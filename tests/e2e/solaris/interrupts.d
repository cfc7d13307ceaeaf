/* Interrupts and timers, as in old scripts.
 @@options: -x compat=solaris
 @@command: %T/calls spin 100 */
#pragma D option quiet
int called, out_of_order;

sdt:::callout-start { self->function = arg0; self->began = timestamp; called++; }
sdt:::callout-end /self->began/ { out_of_order += timestamp < self->began; self->began = 0; }
sdt:::interrupt-start { @[arg1] = count(); }
sdt:::interrupt-complete { @[arg1] = count(); }
END { trunc(@); printf("%d %d\n", called > 0, out_of_order); }
