/* Processes from creation to exit, from the creator's and the child's view.
 @@command: %T/calls fork 4 */
#pragma D option quiet

proc:::create /pid == $target/ { @["create", args[0]->pr_ppid == $target] = count(); @seen["child"] = sum(1); }
proc:::lwp-create /pid == $target/ { @["lwp-create", args[1]->pr_pid == args[0]->pr_lwpid] = count(); }
proc:::start /ppid == $target/ { @["start", pid == tid] = count(); self->started = 1; }
proc:::lwp-start /ppid == $target/ { @["lwp-start after start", self->started] = count(); }
proc:::lwp-exit /ppid == $target/ { self->gone = 1; }
proc:::exit /ppid == $target/ { @["exit after lwp-exit", self->gone] = count(); @["kind", args[0] == CLD_EXITED] = count(); @["status", arg1] = count(); }
