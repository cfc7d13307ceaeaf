/* A thread switch creates variables of two threads, at first when the kernel has no memory ready for two large ones. */
#pragma D option quiet
sched:::on-cpu, sched:::off-cpu { self->name = execname; self->name = 0; }
tick-200ms { exit(0); }
