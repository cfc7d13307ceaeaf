/* With less than the default ustacksize, few callers are found.
 @@options: -x ustackunwind=dwarf -x ustacksize=1k
 @@command: %T/deep far 1 */
#pragma D option quiet

pid$target:a.out:leaf:entry { ustack(5); }
