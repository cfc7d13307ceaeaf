# Reads every member that the D library gives to threads and processes: names of the structures, and no fault.
dscope -qs /vm/members_process.d -c 'sh /vm/forks' 2>&1 | grep -o '([a-z0-9_]*) {\|error.*' | sort -u
