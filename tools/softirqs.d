#!/usr/bin/env -S dscope -s
/* Which deferred interrupt work takes CPU time?
 *
 * The kernel runs soft interrupts for timers, network packets, block requests, the scheduler and RCU.
 */
#pragma D arg -d -i
#pragma D option quiet
#pragma D option metric="@count name=dscope_softirqs keys=softirq help=Soft interrupts"
#pragma D option metric="@total name=dscope_softirq_time unit=seconds scale=1e-9 keys=softirq help=Time in soft interrupts"
#pragma D option metric="@longest name=dscope_softirq_longest unit=seconds scale=1e-6 keys=softirq help=Longest soft interrupt"

inline string softirq_name[int number] =
  number == 0 ? "HI" : number == 1 ? "TIMER" : number == 2 ? "NET_TX" : number == 3 ? "NET_RX" :
  number == 4 ? "BLOCK" : number == 5 ? "IRQ_POLL" : number == 6 ? "TASKLET" : number == 7 ? "SCHED" :
  number == 8 ? "HRTIMER" : number == 9 ? "RCU" : "?";

dtrace:::BEGIN
{
  printf("Measuring soft interrupts... Ctrl-C ends it.\n");
}

sdt:irq::softirq_entry
{
  start[cpu] = timestamp;
}

sdt:irq::softirq_exit
/start[cpu]/
{
  this->ns = timestamp - start[cpu];
  @count[softirq_name[args[0]]] = count();
  @total[softirq_name[args[0]]] = sum(this->ns);
  @longest[softirq_name[args[0]]] = max(this->ns / 1000);
  start[cpu] = 0;
}

profile:::tick-$interval, dtrace:::END
{
  normalize(@total, 1000);
  printf("\n%-10s %12s %10s %12s\n", "SOFTIRQ", "TOTAL(us)", "COUNT", "LONGEST(us)");
  printa("%-10s %@12d %@10d %@12d\n", @total, @count, @longest);
  trunc(@total);
  trunc(@count);
  trunc(@longest);
}
