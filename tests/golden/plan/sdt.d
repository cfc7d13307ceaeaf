/* Arguments come from the tracepoint's record; without them, the raw tracepoint is enough. */
sdt:sched::sched_process_exec { trace(pid); }
sdt:sched::sched_switch { trace(args[1]); trace(stringof(args[0])); }
