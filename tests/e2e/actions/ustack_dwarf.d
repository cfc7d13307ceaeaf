/* The callers in a program without frame pointers, at the first and the last instruction of a function and in the kernel.
 @@options: -x ustackunwind=dwarf
 @@command: %T/deep */
#pragma D option quiet

pid$target:a.out:leaf:entry, pid$target:a.out:leaf:return { ustack(4); }
