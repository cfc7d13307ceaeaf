# Probes that only kernel functions provide: zero-filled pages, path lookups, priority changes of other processes.
dscope -Zqn 'int zeroes, names;
  vminfo:::zfod /pid == $target/ { zeroes += args[0]; } sysinfo:::namei /pid == $target/ { names += arg0; }
  END { printf("%d %d\n", zeroes > 0, names > 0); }' -c 'ls -l /bin/busybox' | tail -n 2
dscope -qn 'sched:::change-pri /args[1]->pr_pid == $target/ { printf("%s %d\n", args[1]->pr_fname, args[2]); }' -c 'sh /vm/nicer' 2>&1
