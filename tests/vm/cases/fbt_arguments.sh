# Typed and raw arguments; signed results.
dscope -qn 'fbt::vfs_read:entry /pid == $target && args[2] == 7/ {
  @[probeprov, probemod, probefunc, probename, stringof(args[0]->f_path.dentry->d_name.name), arg2, arg1 == (uint64_t)args[1]] = count(); }' \
  -c 'dd if=/dev/zero of=/dev/null bs=7 count=3 status=none'
dscope -qn 'fbt::vfs_read:return /pid == $target && arg1 == 7/ { @[arg0 == -1, args[1], arg1] = count(); }' \
  -c 'dd if=/dev/zero of=/dev/null bs=7 count=3 status=none'
dscope -qn 'fbt::do_sys_openat2:return /pid == $target && arg1 < 0/ { trace(arg1); trace(args[1] == -2); }' -c 'cat /absent' 2>/dev/null
