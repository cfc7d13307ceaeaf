# The record of a tracepoint, and the arguments of a raw tracepoint.
dscope -qn 'sdt:sched::sched_process_exec /execname == "dd"/ { printf("%s\n", stringof(arg0)); }
  rawtp:sched::sched_process_fork /args[0]->pid == $target/ { @forks = count(); }
  END { printa("%@d\n", @forks); }' -c 'sh /vm/forks'
