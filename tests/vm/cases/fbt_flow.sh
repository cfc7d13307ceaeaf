# Flow indentation of functions that call each other.
dscope -F -n 'BEGIN { done = 0; } fbt::ksys_read:,fbt::vfs_read: /pid == $target && !done/ { trace(1); } fbt::ksys_read:return /pid == $target/ { done = 1; }' \
  -c 'dd if=/dev/zero of=/dev/null bs=7 count=1 status=none' 2>&1 | grep -v BEGIN | sed 's/^ *[0-9]//'
