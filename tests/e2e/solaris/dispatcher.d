/* Run queues of the processors, and other facts of a thread's CPU.
 @@options: -x compat=solaris
 @@command: %T/calls spin 200 */
#pragma D option quiet
int good, bad;

profile-1000hz
/pid == $target/
{
	this->length = curthread->t_cpu->cpu_disp->disp_nrunnable;
	@["is the queue's length"] = lquantize(this->length >= 0 && this->length < 100000, 0, 2, 1);
	good += curthread->t_cpu->cpu_dispthread == curthread && curthread->t_cpu->cpu_thread->t_tid == tid;
	bad += curthread->t_cpu->cpu_idle_thread->t_tid != 0;
}
END { printf("%d %d\n", good > 0, bad); trunc(@); }
