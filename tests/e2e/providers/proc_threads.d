/* Threads do not count as processes.
 @@command: %T/tasks threads 3 */
#pragma D option quiet

proc:::create /pid == $target/ { @["create"] = count(); }
proc:::lwp-create /pid == $target/ { @["lwp-create"] = count(); }
proc:::start /pid == $target/ { @["start"] = count(); }
proc:::lwp-start /pid == $target && tid != pid/ { @["lwp-start"] = count(); }
proc:::lwp-exit /pid == $target/ { @["lwp-exit"] = count(); }
proc:::exit /pid == $target/ { @["exit"] = count(); }
