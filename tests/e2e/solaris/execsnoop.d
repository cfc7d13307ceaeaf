/* New commands with their arguments, by the members of Solaris's thread structures.
 @@options: -x compat=solaris
 @@command: %T/calls exec /bin/true */
#pragma D option quiet

syscall::exece:entry /pid == $target/ { printf("before %s %s\n", execname, copyinstr(arg0)); }
syscall::exece:return
/pid == $target && errno == 0/
{
	printf("after %s %d %d %d\n", curpsinfo->pr_psargs, curthread->t_procp->p_pidp->pid_id == pid,
	    curthread->t_procp->p_parent->p_pidp->pid_id == ppid, curthread->t_procp->p_user.u_comm == execname);
}
