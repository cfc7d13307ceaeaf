#!/usr/bin/env -S dscope -s
/* Exporter: how long runnable threads wait for a CPU.
 * Usage: dscope --serve=:9464 -s runq_latency.d
 */
#pragma D option quiet
#pragma D option metric="@wait name=dscope_runq_wait unit=seconds scale=1e-9 help=Time that runnable threads waited for a CPU"

sched:::enqueue
{
  queued[args[0]->pr_lwpid, args[1]->pr_pid] = timestamp;
}

sched:::on-cpu
/queued[tid, pid]/
{
  @wait = quantize(timestamp - queued[tid, pid]);
  queued[tid, pid] = 0;
}
