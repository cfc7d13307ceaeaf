/* Only probes with arguments in the same locations share a program. */
rawtp:sched::sched_wakeup, rawtp:sched::sched_process_fork { trace(arg0); }
rawtp:sched::sched_switch { trace(args[1]->pid); }
