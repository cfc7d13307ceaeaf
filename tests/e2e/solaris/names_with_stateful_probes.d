/* Solaris names in programs whose probes keep state from an earlier event. */
#pragma D option quiet
#pragma D option compat=solaris

BEGIN
{
	printf("%d %s %d %d\n", `ncpus > 0, zonename, B_TRUE, curthread->t_pri > 0);
	self->swap = &`k_anoninfo;
	exit(0);
}
tcp:::receive { from = arg0; }
io:::wait-start { waited = arg0; }
sched:::enqueue /0/ { trace(cgroup_path); }
