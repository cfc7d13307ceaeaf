/* The offset at which a function was left. Tail calls leave the function, too. -1 if the offset is unknown.
 @@command: %T/exits */
#pragma D option quiet

pid$target:a.out:two_returns:entry, pid$target:a.out:tail_call:entry, pid$target:a.out:by_register:entry,
pid$target:a.out:marked:entry { printf("%s(%d)\n", probefunc, arg0); }
pid$target:a.out:two_returns:return, pid$target:a.out:tail_call:return, pid$target:a.out:by_register:return,
pid$target:a.out:marked:return, pid$target:a.out:to_unnamed:return { printf("%s returns %d from %x\n", probefunc, (int)arg1, (int)arg0); }
