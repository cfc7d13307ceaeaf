/* The order of an exec's probes: the system call, the proc probes, the new program's return.
 @@command: %T/tasks exec /bin/true */
#pragma D option quiet

syscall::execve:entry /pid == $target/ { printf("entry %s\n", execname); }
proc:::exec /pid == $target/ { printf("exec %s\n", args[0]); }
proc:::exec-success /pid == $target/ { printf("success %s %s\n", execname, curpsinfo->pr_psargs); }
syscall::execve:return /pid == $target/ { printf("return %d %s\n", (int)arg0, execname); }
