sdt:sched::sched_switch { trace(args->nextpid); }
