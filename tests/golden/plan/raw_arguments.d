/* Programs are shared only by probes whose arguments lie in the same places. */
rawtp:sched::sched_wakeup, rawtp:sched::sched_process_fork { trace(arg0); }
rawtp:sched::sched_switch { trace(args[1]->pid); }
