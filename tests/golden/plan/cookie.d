/* Probes with equal clauses and arguments share one program. Cookies distinguish them. */
profile:::profile-9* { @[execname] = count(); }
rawtp:sched::sched_process_* { @woken[probename] = count(); }
