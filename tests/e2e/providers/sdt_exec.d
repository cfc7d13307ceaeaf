/* A tracepoint with the fields of its record; __data_loc strings.
 @@command: %T/calls exec /bin/true */
#pragma D option quiet

sdt:sched::sched_process_exec /pid == $target/ { printf("%s %d %d\n", stringof(args[0]), args[1] == pid, args[2] == pid); }
