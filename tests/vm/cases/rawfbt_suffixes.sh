# Clones that the compiler made have their own names.
dscope -ln 'rawfbt::*.isra.*:entry' | awk '$4 !~ /isra/ && NR > 1 { bad++ } END { print (NR > 20), bad + 0 }'
dscope -qn 'rawfbt::vfs_read:return /pid == $target && arg1 == 7/ { @[arg0] = count(); }' -c 'dd if=/dev/zero of=/dev/null bs=7 count=3 status=none'
dscope -qn 'rawfbt::finish_task_switch.isra.0:entry { exit(4); }'
