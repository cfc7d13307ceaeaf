/* By default, stacks in functions of processes show all callers in programs without frame pointers, in rows and in keys.
 @@command: %T/deep 3 */
#pragma D option quiet

pid$target:a.out:leaf:entry { @[ustack(3)] = count(); }
pid$target:a.out:leaf:entry /!n++/ { ustack(4); }
