/* Types that scripts use in declarations and that Linux does not have.
 @@options: -x compat=solaris
 @@command: sleep 0.25 */
#pragma D option quiet

hrtime_t began;
time_t now;
boolean_t is_done;
u_char small; u_short medium; u_int usual; u_long large;
taskid_t task; pri_t priority; lwpid_t lwp; timespec_t left;
kthread_t *thread;
self hrtime_t entered;

BEGIN
{
	is_done = B_FALSE;
	began = timestamp; now = walltimestamp / 1000000000;
	small = 300; medium = 70000; usual = -1; large = -1;
	thread = curthread; priority = thread->t_pri; lwp = thread->t_tid;
	printf("%d %d %u %d\n", small, medium, usual, large > 1000);
	printf("%d %d %d\n", sizeof (hrtime_t), sizeof (time_t), sizeof (boolean_t));
	printf("%d %d %d\n", sizeof (struct timeval), sizeof (struct timespec), sizeof (timestruc_t));
	printf("%d %d\n", lwp == tid, ((proc_t *)thread->t_procp)->p_pidp->pid_id == pid);
}
syscall::nanosleep:entry
/pid == $target && !is_done/
{
	this->request = (struct timespec *)copyin(arg0, sizeof (struct timespec));
	left = *this->request;
	printf("%d.%09d\n", left.tv_sec, left.tv_nsec);
	self->entered = timestamp;
}
syscall::nanosleep:return
/self->entered/
{
	printf("%d\n", timestamp - self->entered > 250000000);
	is_done = B_TRUE;
	self->entered = 0;
}
END { printf("%d\n", is_done == B_TRUE); }
