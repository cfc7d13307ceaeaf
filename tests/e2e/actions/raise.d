/* @@options: -w
 * @@command: sleep 60
 * raise() sends a signal to the process of the probe. An invalid signal number does nothing. */
#pragma D option quiet

syscall::clock_nanosleep:entry,
syscall::nanosleep:entry
/pid == $target/
{
	raise(0);
	raise(-1);
	raise(1000);
	printf("raised\n");
	raise(15);
}
