# The return probe of a void function has one argument.
dscope -lvn 'fbt::exit_files:return' 2>&1 | grep -v MODULE
dscope -qn 'fbt::__fput:return /pid == $target/ { @ = count(); } END { printa("%@d\n", @); }' -c 'true' 2>&1 | grep -c '^[1-9]'
dscope -en 'fbt::exit_files:return { trace(args[1]); }' 2>&1
dscope -en 'fbt::vfs_read:entry { trace(args[4]); }' 2>&1
dscope -en 'fbt::vfs_*:entry { trace(args[0]); }' 2>&1
