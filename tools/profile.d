#!/usr/bin/env -S dscope -s
/* Where CPU time goes: stacks of the kernel and of programs, 97 times a second on each CPU; the twenty most frequent.
 * Usage: profile.d [PROGRAM]
 *        profile.d --format=folded [PROGRAM] > out.folded     for a flame graph
 */
#pragma D option quiet
#pragma D option defaultargs

profile-97
/pid != 0 && ($$1 == "" || execname == $$1)/
{
  @[execname, stack(), ustack()] = count();
}

dtrace:::END
{
  trunc(@, 20);
  printa(@);
}
