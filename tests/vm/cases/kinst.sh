# At the first instruction of a function, registers still hold the arguments.
dscope -qn 'kinst::vfs_read:0 /pid == $target/ { @[probefunc, probename] = count(); } END { printa("%s %s\n", @); }' \
  -c 'dd if=/dev/zero of=/dev/null bs=7 count=3 status=none'
dscope -n 'kinst::vfs_read:1 { exit(0); }'
# An offset beyond the end of a function belongs to the next function.
dscope -x diagnostics=full -qn 'kinst::vfs_read:2000 {}' 2>&1 | grep -o 'has 0x[0-9a-f]* bytes' | sed 's/0x[0-9a-f]*/some/'
