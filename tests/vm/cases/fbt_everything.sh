# All functions: attached at once if the kernel supports that, else rejected with one sentence.
dscope -n 'fbt:::entry { @[probefunc] = count(); }' -c 'dd if=/dev/zero of=/dev/null bs=11 count=4 status=none' 2>&1 |
  grep '^dscope' | sed 's/[0-9][0-9][0-9][0-9][0-9]*/N/g'
dscope -qx functionlimit=0 -n 'fbt::vfs_read:entry { exit(0); }' 2>&1
