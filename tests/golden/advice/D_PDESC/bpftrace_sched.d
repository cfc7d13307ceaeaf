tracepoint:sched:sched_switch { }
