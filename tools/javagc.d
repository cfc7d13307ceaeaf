#!/usr/bin/env -S dscope -s
/* How long does Java collect garbage?
 *
 * Traces the Java virtual machines that run when tracing starts. OpenJDK has the static probes that this needs.
 */
#pragma D arg -T -d
#pragma D option quiet
#pragma D option switchrate=10hz
#pragma D option zdefs

dtrace:::BEGIN
{
  if ($time) printf("%-20s ", "TIME");
  printf("%7s %-16s %-5s %10s\n", "PID", "THREAD", "KIND", "US");
}

hotspot*:::gc-begin
{
  start[pid] = timestamp;
  is_full[pid] = (int)arg0;
}

hotspot*:::gc-end
/start[pid]/
{
  if ($time) printf("%-20Y ", walltimestamp);
  printf("%7d %-16s %-5s %10d\n", pid, execname, is_full[pid] ? "full" : "young", (timestamp - start[pid]) / 1000);
  @total = sum((timestamp - start[pid]) / 1000);
  @runs = count();
  start[pid] = 0;
  is_full[pid] = 0;
}

dtrace:::END
{
  printa("%@d collections, %@d us\n", @runs, @total);
}
