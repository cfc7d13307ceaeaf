/* In on-cpu the kernel stack is that of the thread that starts to run: it sleeps in a system call that it made itself.
 @@command: %T/tasks sleep 20 */
#pragma D option quiet

syscall::*nanosleep:entry /pid == $target/ { self->sleeps = 1; }
sched:::on-cpu /self->sleeps/ { @deep[stackdepth > 2, caller != 0] = min(1); @stacks[stack(1)] = count(); self->sleeps = 0; }
END { trunc(@stacks); printa("%d %d %@d\n", @deep); }
