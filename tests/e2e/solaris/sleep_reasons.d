/* The reasons for which threads sleep.
 @@options: -x compat=solaris
 @@command: sleep 0.01 */
#pragma D option quiet

sched:::off-cpu /pid == $target && curlwpsinfo->pr_state == SSLEEP/ { self->bed = curlwpsinfo->pr_stype; self->sleeps = 1; }
sched:::on-cpu
/self->sleeps/
{
	@[self->bed == SOBJ_CV ? "condition variable" : self->bed == SOBJ_MUTEX ? "kernel lock" :
	    self->bed == SOBJ_USER ? "user lock" : "unknown"] = count();
	self->sleeps = 0;
}
END { normalize(@, 1000000); printa("%s\n", @); }
