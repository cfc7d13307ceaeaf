/* The bound of a checked index is repeated at its use: before Linux 6.8 the verifier loses it when it spills the index. */
string text;
rawtp:sched::sched_switch { text = execname; x = text[pid & 0xfff]; }
/* CHECK: asm sideeffect "if $0 > $2 goto +1\0Agoto +1\0A$0 = 0", "=r,0,i" */
