/* fork returns in the parent only. The child is a separate process.
 @@command: %T/calls fork 3 */
#pragma D option quiet

syscall::exit_group:entry /ppid == $target && arg0 == 3/ { @exits = count(); }
syscall::wait4:return /pid == $target && (int)arg0 > 0/ { @waits = count(); }
