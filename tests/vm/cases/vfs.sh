# File names in probes on kernel functions.
dscope -qn 'vfs::vfs_read:entry /pid == $target && arg2 == 9/ { @[args[0]->fi_pathname] = count(); }
  vfs:::return /pid == $target && probefunc == "vfs_read" && arg1 == 9/ { @read = count(); }
  END { printa("%s %@d\n", @); printa("%@d\n", @read); }' -c 'dd if=/dev/zero of=/dev/null bs=9 count=5 status=none'
