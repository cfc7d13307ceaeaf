/* Threads of the kernel, and only these, are system processes. */
#pragma D option quiet

BEGIN
{
	printf("%x %x %x\n", PR_ISSYS, PR_PTRACE, curpsinfo->pr_flag);
}

sched:::wakeup
/args[1]->pr_flag & PR_ISSYS/
{
	is_of_kthreadd = args[1]->pr_ppid == 2 || args[1]->pr_pid == 2;
	exit(0);
}

END
{
	printf("%d\n", is_of_kthreadd);
}
