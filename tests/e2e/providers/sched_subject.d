/* In on-cpu the built-in variables are those of the thread that starts to run.
 @@command: %T/tasks sleep 20 */
#pragma D option quiet

sched:::on-cpu /pid == $target/ { @[execname, tid == pid, ppid == $pid, uid == $uid, gid == $gid, curpsinfo->pr_pid == pid, curthread->comm == execname] = min(1); }
