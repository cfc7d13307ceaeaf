#!/usr/bin/env -S dscope -s
/* Exporter: processes that the kernel killed because memory ran out.
 * Usage: dscope --serve=:9464 -s oom_kills.d
 */
#pragma D option quiet
#pragma D option metric="@kills name=dscope_oom_kills keys=program help=Processes killed because memory ran out"

sdt:oom::mark_victim
{
  @kills[execname] = count();
}
