dscope -qn 'tcp:::state-change { @[probename] = count(); } tcp:::send { @[probename] = count(); } END { printa("%s\n", @); }' \
  -c 'sockets tcp' 2>&1 | sort
