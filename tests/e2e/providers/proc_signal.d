/* Handled and ignored signals.
 @@command: %T/tasks signal 3 */
#pragma D option quiet

proc:::signal-send /pid == $target && args[2] != SIGCHLD/ { @["send", args[2], args[1]->pr_pid == $target, args[0]->pr_lwpid == tid] = count(); }
proc:::signal-discard /pid == $target && args[2] != SIGCHLD/ { @["discard", args[2], args[1]->pr_pid == $target, 0] = count(); }
proc:::signal-handle /pid == $target/ { @["handle", args[0], (uintptr_t)args[2] > 1, siginfo_pid[args[1]] == pid] = count(); }
