/* BEGIN and END: probe names, arguments, thread. */
#pragma D option quiet

BEGIN { printf("[%s] [%s] [%s] [%s]\n", probeprov, probemod, probefunc, probename); printf("%d %d %s\n", arg0, pid == $pid, execname); }
:::BEGIN { printf("%d\n", id); }
dtrace:::BEGIN, END { printf("%s\n", probename); }
BEGIN { exit(0); }
END { printf("[%s] %d %d %s\n", probename, id, pid == $pid, execname); }
