#!/usr/bin/env -S dscope -s
/* Which interrupts of devices take CPU time?
 */
#pragma D arg -d -i -t
#pragma D option quiet
#pragma D option metric="@count name=dscope_hardirqs keys=handler help=Interrupts"
#pragma D option metric="@total name=dscope_hardirq_time unit=seconds scale=1e-9 keys=handler help=Time in the handlers of interrupts"
#pragma D option metric="@longest name=dscope_hardirq_longest unit=seconds scale=1e-6 keys=handler help=Longest time in the handler of an interrupt"
#pragma D option aggkept

dtrace:::BEGIN
{
  printf("Measuring interrupts... Ctrl-C ends it.\n");
}

sdt:irq::irq_handler_entry
{
  start[cpu] = timestamp;
  handler[cpu] = stringof(args[1]);
}

sdt:irq::irq_handler_exit
/start[cpu]/
{
  @count[handler[cpu]] = count();
  @total[handler[cpu]] = sum(timestamp - start[cpu]);
  @longest[handler[cpu]] = max((timestamp - start[cpu]) / 1000);
  start[cpu] = 0;
}

profile:::tick-$interval, dtrace:::END
{
  if ($$format != "folded")
    trunc(@total, $top);
  normalize(@total, 1000);
  printf("\n%-32s %12s %10s %12s\n", "INTERRUPT", "TOTAL(us)", "COUNT", "LONGEST(us)");
  printa("%-32s %@12d %@10d %@12d\n", @total, @count, @longest);
  trunc(@total);
  trunc(@count);
  trunc(@longest);
}
