#!/usr/bin/env -S dscope -s
/* Why does the kernel drop packets?
 *
 * REASON is the name that the kernel gives, CODE the function that dropped the packet.
 */
#pragma D arg -d -i -t
#pragma D option quiet

dtrace:::BEGIN
{
  printf("Counting dropped packets... Ctrl-C ends it.\n");
}

/* Since 6.2 the lowest reason that is no drop is SKB_CONSUMED. */
sdt:skb::kfree_skb
/args[4] > 1/
{
  @[args[4], sym((uintptr_t)args[1])] = count();
}

profile:::tick-$interval, dtrace:::END
{
  if ($$format != "folded")
    trunc(@, $top);
  printf("\n%8s %-34s %s\n", "PACKETS", "REASON", "CODE");
  printa("%@8d %-34s %a\n", @);
  trunc(@);
}
