/* Arguments come from the tracepoint's record. Without arguments, the raw tracepoint suffices. */
sdt:sched::sched_process_exec { trace(pid); }
sdt:sched::sched_switch { trace(args[1]); trace(stringof(args[0])); }
