/* With few functions, each has its own program, which is fastest when it fires. */
fbt::vfs_read:entry { self->file = args[0]; @[probefunc] = sum(arg2); }
fbt::vfs_*:return { @values[probefunc] = quantize(arg1); }
