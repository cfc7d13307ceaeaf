/* Processes from fork to exit, under the names of Solaris's calls.
 @@options: -x compat=solaris
 @@command: %T/calls fork 3 */
#pragma D option quiet

syscall::fork1:entry, syscall::forksys:entry /pid == $target/ { @[probefunc, probename] = count(); }
syscall::forksys:return /pid == $target && arg0 > 0/ { @["parent", "return"] = count(); }
proc:::exit /ppid == $target/ { @[curpsinfo->pr_fname, "exit"] = count(); }
END { printa("%s %s %@d\n", @); }
