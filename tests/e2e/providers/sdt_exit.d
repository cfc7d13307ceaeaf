/* Character arrays of the record are strings with stringof().
 @@command: %T/calls name renamed 1 */
#pragma D option quiet

sdt:sched::sched_process_exit /args[1] == $target/ { @[stringof(args[0])] = count(); }
