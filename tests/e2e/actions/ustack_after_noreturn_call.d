/* If a function ends in a call that never returns, the caller is that function, not the next one; in keys, too.
 @@command: %T/ends */
#pragma D option quiet

pid$target:a.out:never_returns:entry { ustack(3); @[ustack(3)] = count(); }
END { printa("%k", @); }
