#!/usr/bin/env -S dscope -s
/* Which containers use CPU time, make system calls and do I/O?
 *
 * CPU is the share of one CPU in percent since the last screen. GROUP is the control group: containers have one each.
 */
#pragma D arg -d
#pragma D arg -i TIME=5s
#pragma D arg -t N=10
#pragma D option quiet
#pragma D option aggkept

dtrace:::BEGIN
{
  printf("Measuring control groups... Ctrl-C ends it.\n");
  begun = timestamp;
}

sched:::on-cpu
/pid != 0/
{
  self->start = timestamp;
}

sched:::off-cpu
/self->start/
{
  @cpu[cgroup_path] = sum(timestamp - self->start);
  @switches[cgroup_path] = count();
  self->start = 0;
}

io:::start
{
  @disk[cgroup_path] = sum(args[0]->b_bcount / 1024);
}

syscall:::entry
{
  @calls[cgroup_path] = count();
}

profile:::tick-$interval, dtrace:::END
{
  this->percent = (timestamp - begun) / 100;
  normalize(@cpu, 1000000);
  if ($$format != "folded")
    trunc(@cpu, $top);
  printf("\n%10s %10s %10s %10s %s\n", "CPU(ms)", "CALLS", "SWITCHES", "DISK(KiB)", "GROUP");
  printa("%@10d %@10d %@10d %@10d %s\n", @cpu, @calls, @switches, @disk);
  trunc(@cpu);
  trunc(@calls);
  trunc(@switches);
  trunc(@disk);
  begun = timestamp;
}
