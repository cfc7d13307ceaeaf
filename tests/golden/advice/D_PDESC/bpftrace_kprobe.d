kprobe:vfs_read { @[comm] = count(); }
