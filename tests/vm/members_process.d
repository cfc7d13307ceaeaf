/* All members that the D library gives to threads, processes, CPUs and files. The target sh runs commands. */
#pragma D option quiet
#pragma D option printform=classic

BEGIN { print(*curpsinfo); print(*curlwpsinfo); print(*curcpu); print(fds[1]); }
proc:::create /pid == $target && !created++/ { print(*args[0]); }
proc:::signal-send /args[2] == SIGCHLD && !sent++/ { print(*args[0]); print(*args[1]); }
proc:::exit /ppid == $target && !ended++/ { print(*curpsinfo); print(*curlwpsinfo); }
sched:::on-cpu /pid == $target && !run++/ { print(*curpsinfo); print(*curlwpsinfo); print(*curcpu); }
sched:::enqueue /args[1]->pr_pid == $target && !queued++/ { print(*args[0]); print(*args[1]); print(*args[2]); }
