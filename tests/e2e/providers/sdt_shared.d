/* Two tracepoints whose arguments lie at the same places share a program. Each fires exactly as often as the kernel does, with its own values.
 @@command: %T/tasks signal 50
 @@sort */
#pragma D option quiet

sdt:signal::signal_*
/pid == $target && (arg0 == SIGUSR1 || arg0 == SIGUSR2)/
{
	@count[probename, arg0] = count();
	@sum[probename, arg0] = sum(arg0);
}
END
{
	printa("%s %d %@d %@d\n", @count, @sum);
}
