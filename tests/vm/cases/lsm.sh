# A security hook.
dscope -qn 'lsm::file_open:entry /pid == $target && stringof(args[0]->f_path.dentry->d_name.name) == "null"/ { @[probefunc, args[0]->f_mode & 3] = count(); }
  END { printa("%s %d %@d\n", @); }' -c 'dd if=/dev/null of=/dev/zero count=1 status=none' 2>&1
# The stack starts with the hook.
dscope -qn 'lsm::file_open:entry /pid == $target/ { printf("%d %d\n", stackdepth > 3, caller != 0); stack(2); exit(0); }' \
  -c 'cat /dev/null' 2>&1 | sed 's/+0x.*//; s/^ *//' | grep .
