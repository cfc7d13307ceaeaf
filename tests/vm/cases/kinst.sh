# The first instruction of a function, whose registers hold the arguments still.
dscope -qn 'kinst::vfs_read:0 /pid == $target/ { @[probefunc, probename] = count(); } END { printa("%s %s\n", @); }' \
  -c 'dd if=/dev/zero of=/dev/null bs=7 count=3 status=none'
dscope -n 'kinst::vfs_read:1 { exit(0); }'
