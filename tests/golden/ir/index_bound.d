/* What the test of an index told is told again at its use: before Linux 6.8 the verifier forgets it on the stack. */
string text;
rawtp:sched::sched_switch { text = execname; x = text[pid & 0xfff]; }
/* CHECK: asm sideeffect "if $0 > $2 goto +1\0Agoto +1\0A$0 = 0", "=r,0,i" */
