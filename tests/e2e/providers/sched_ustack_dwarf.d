/* The consumer also finds the callers of a thread that was off the CPU.
 @@command: %T/tasks sleep 20
 @@options: -x ustackunwind=dwarf */
#pragma D option quiet

syscall::*nanosleep:entry /pid == $target/ { self->sleeps = 1; @entry[ustack(8)] = min(1); }
sched:::off-cpu /self->sleeps/ { self->is_off = 1; }
sched:::on-cpu /self->is_off/ { @on[ustack(8)] = min(1); self->is_off = 0; }
syscall::*nanosleep:return /pid == $target/ { self->sleeps = 0; }
END { printa("%@d %@d\n", @entry, @on); }
