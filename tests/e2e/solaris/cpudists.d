/* The time that threads stay on a processor; the processor from the thread.
 @@options: -x compat=solaris
 @@command: %T/calls spin 50 */
#pragma D option quiet

long wrong;

sched:::on-cpu /pid == $target/ { self->ts = timestamp; }
sched:::off-cpu
/self->ts/
{
	wrong += curthread->t_cpu->cpu_id != cpu;
	wrong += curthread->t_tid != tid;
	wrong += curthread->t_pri != curlwpsinfo->pr_pri;
	@[execname] = quantize(timestamp - self->ts);
	self->ts = 0;
}
END { printf("%d\n", wrong); trunc(@); }
