# Two patterns that match many functions, few of which run.
dscope -n 'fbt:vmlinux:tcp_*:entry,fbt:vmlinux:vfs_*:entry /pid == $target && (probefunc != "vfs_read" || arg2 == 11)/ { @[probefunc] = count(); }
  END { printa("%s %@d\n", @); }' -qc 'dd if=/dev/zero of=/dev/null bs=11 count=4 status=none' 2>&1 | grep '^vfs_read '
