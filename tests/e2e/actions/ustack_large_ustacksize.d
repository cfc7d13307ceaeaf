/* Callers beyond the first 8 KB of the stack are found with a larger ustacksize, in stacks and in keys.
 @@options: -x ustackunwind=dwarf -x ustacksize=40k
 @@command: %T/deep far 30 */
#pragma D option quiet

pid$target:a.out:leaf:entry { ustack(5); @[ustack(4)] = count(); }
END { printa("%k", @); }
