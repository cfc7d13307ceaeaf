#!/usr/bin/env -S dscope -s
/* Show where CPU time goes: the twenty most frequent kernel and user stacks, sampled 97 times a second on each CPU.
 * Usage: dscope-profile [PROGRAM]
 *        dscope-profile --format=folded [PROGRAM] > out.folded     for a flame graph
 */
#pragma D option quiet
#pragma D option aggmerge
#pragma D option defaultargs

profile-97
/pid != 0 && pid != $pid && ($$1 == "" || execname == $$1)/
{
  @[execname, stack(), ustack()] = count();
}

dtrace:::END
{
  if ($$format != "folded")
    trunc(@, 20);
  printa(@);
}
