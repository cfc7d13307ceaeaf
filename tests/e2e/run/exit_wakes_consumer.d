/* exit() in a probe wakes the consumer: END runs long before the next status check. */
/* @@command: sleep 1000 */
#pragma D option quiet
#pragma D option statusrate=10s
#pragma D option switchrate=10s

syscall::clock_nanosleep:entry,
syscall::nanosleep:entry
/pid == $target/
{
	called = timestamp;
	exit(3);
}

END
{
	printf("%s", timestamp - called < 1000000000 ? "soon" : "late");
}
