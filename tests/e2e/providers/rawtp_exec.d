/* A raw tracepoint with typed arguments: members of struct pointers.
 @@command: %T/calls exec /bin/true */
#pragma D option quiet

rawtp:sched::sched_process_exec /pid == $target/ { printf("%s %d %s %d\n", stringof(args[2]->filename), args[1] == pid, args[0]->comm, args[0] == curthread); }
