/* Time on the processor by process, in percent of a second.
 @@options: -x compat=solaris
 @@command: %T/calls spin 100 */
#pragma D option quiet

sched:::on-cpu { self->start = timestamp; }
sched:::off-cpu /self->start && pid == $target/ { @cpu[pid, curpsinfo->pr_fname] = sum(timestamp - self->start); }
sched:::off-cpu { self->start = 0; }
END { normalize(@cpu, 1000000); setopt("quiet"); ok = 1; trunc(@cpu); printf("%d\n", ok); }
