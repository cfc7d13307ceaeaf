/* @@options: -w
 * @@command: sleep 0.01
 * stop() stops the process until it gets SIGCONT. */
#pragma D option quiet

syscall::clock_nanosleep:entry,
syscall::nanosleep:entry
/pid == $target/
{
	stop();
	printf("stopped\n");
	system("until grep -q 'State:.*stopped' /proc/%d/status; do :; done; kill -CONT %d", pid, pid);
}

END { printf("ended\n"); }
