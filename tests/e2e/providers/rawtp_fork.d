/* Both tasks of a fork.
 @@command: %T/calls fork 4 */
#pragma D option quiet

rawtp:sched::sched_process_fork /args[0]->tgid == $target/ { @[stringof(args[0]->comm) == args[1]->comm, args[1]->real_parent->tgid == $target, stringof(args[1]->comm)] = count(); }
