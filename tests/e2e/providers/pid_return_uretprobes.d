/* With uretprobes the return offset is unknown, and a tail call is part of the function.
 @@options: -x uretprobes
 @@command: %T/exits */
#pragma D option quiet

pid$target:a.out:two_returns:entry, pid$target:a.out:tail_call:entry, pid$target:a.out:by_register:entry,
pid$target:a.out:marked:entry { printf("%s(%d)\n", probefunc, arg0); }
pid$target:a.out:two_returns:return, pid$target:a.out:tail_call:return, pid$target:a.out:by_register:return,
pid$target:a.out:marked:return { printf("%s returns %d from %x\n", probefunc, (int)arg1, (int)arg0); }
