/* Few functions have a program each: it costs least when it fires. */
fbt::vfs_read:entry { self->file = args[0]; @[probefunc] = sum(arg2); }
fbt::vfs_*:return { @values[probefunc] = quantize(arg1); }
