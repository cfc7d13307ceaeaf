/* Same clauses, same arguments: one program, told apart by cookies. */
profile:::profile-9* { @[execname] = count(); }
rawtp:sched::sched_process_* { @woken[probename] = count(); }
