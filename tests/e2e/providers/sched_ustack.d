/* The user stack in on-cpu is that of the thread when it left its CPU: of the system call in which it sleeps.
 * Other threads, including kernel threads and new threads, have stacks without faults.
 @@command: %T/tasks sleep 20 */
#pragma D option quiet

self uint64_t caller;
self int depth;
syscall::*nanosleep:entry /pid == $target/
{
	self->caller = ucaller;
	self->depth = ustackdepth;
	@entry[ustack(8)] = min(1);
}
sched:::off-cpu /self->depth/ { @off[ustack(8)] = min(1); self->since = timestamp; }
sched:::on-cpu /self->since/
{
	@on[ustack(8)] = min(1);
	@same[self->depth == ustackdepth, self->caller == ucaller] = min(1);
	self->since = 0;
}
syscall::*nanosleep:return /pid == $target/ { self->depth = 0; }
sched:::on-cpu { @all[ustack(20), execname] = count(); }
END
{
	printa("%@d %@d %@d\n", @entry, @off, @on);
	printa("%d %d\n", @same);
	trunc(@all);
}
