/* In on-cpu the kernel stack is that of the thread that starts to run: it sleeps in its own system call,
   and left its CPU at the stack that off-cpu recorded.
 @@command: %T/tasks sleep 20 */
#pragma D option quiet

syscall::*nanosleep:entry /pid == $target/ { self->sleeps = 1; }
sched:::off-cpu /self->sleeps/ { self->depth = stackdepth; self->caller = (uintptr_t)caller; @[stack()] = count(); }
sched:::on-cpu /self->sleeps/ {
	@deep[stackdepth > 2, caller != 0, stackdepth - self->depth, (uintptr_t)caller == self->caller] = min(1);
	@on[stack()] = count();
	self->sleeps = 0;
}
END { trunc(@); trunc(@on); printa("%d %d %d %d %@d\n", @deep); }
