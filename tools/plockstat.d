#!/usr/bin/env -S dscope -s
/* Which locks of a program do its threads wait for?
 *
 * Needs -c or -p: mutexes and readers/writer locks of the C library. US is the time that threads waited.
 */
#pragma D arg -p -c -d
#pragma D arg -t N=10
#pragma D option quiet
#pragma D option aggmerge

plockstat$target:::mutex-block, plockstat$target:::rw-block
{
  self->start = timestamp;
}

plockstat$target:::mutex-blocked, plockstat$target:::rw-blocked
/self->start/
{
  this->us = (timestamp - self->start) / 1000;
  @us[arg0, ustack(4)] = sum(this->us);
  @waits = count();
  @total = sum(this->us);
  @longest = max(this->us);
  self->start = 0;
}

dtrace:::END
{
  if ($$format != "folded")
    trunc(@us, $top);
  printf("microseconds by lock and stack:\n");
  printa("%x%k%@16d\n", @us);
  printa("%@d waits, %@d us, longest %@d us\n", @waits, @total, @longest);
}
