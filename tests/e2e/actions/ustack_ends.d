/* A function that ends in a call that does not return is named as the caller, not the one behind it; in keys, too.
 @@command: %T/ends */
#pragma D option quiet

pid$target:a.out:never_returns:entry { ustack(3); @[ustack(3)] = count(); }
END { printa("%k", @); }
