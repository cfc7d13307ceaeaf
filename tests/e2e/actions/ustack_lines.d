/* User stacks with lines and inlined functions.
 @@options: -x ustacklines
 @@command: %T/inlined */
#pragma D option quiet

pid$target:a.out:leaf:entry { ustack(3); }
pid$target:a.out:outer:entry { ustack(2); }
