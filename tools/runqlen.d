#!/usr/bin/env -S dscope -s
/* How many threads wait for each CPU?
 *
 * Samples each CPU 99 times a second: the distribution of the number of threads that wait while another one runs.
 */
#pragma D arg -d -i
#pragma D option quiet

dtrace:::BEGIN
{
  printf("Sampling the run queues... Ctrl-C ends it.\n");
}

profile-99
{
  this->runnable = __runnable_threads;
  this->waiting = this->runnable > 0 ? this->runnable - 1 : 0;
  @[cpu] = lquantize(this->waiting, 0, 32, 1);
  @average[cpu] = avg(this->waiting * 100);
  @longest[cpu] = max(this->waiting);
}

profile:::tick-$interval, dtrace:::END
{
  printa("\nthreads waiting for CPU %d%@d", @);
  printf("\n%-4s %14s %8s\n", "CPU", "AVERAGE(/100)", "LONGEST");
  printa("%-4d %@14d %@8d\n", @average, @longest);
  trunc(@);
  trunc(@average);
  trunc(@longest);
}
