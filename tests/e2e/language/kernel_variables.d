/* Kernel variables, whether or not the kernel shows their addresses. */
#pragma D option quiet

BEGIN
{
	printf("%d %s %s\n", `init_task.pid, stringof(`init_task.comm), substr(`linux_banner, 0, 14));
	printf("%d %d\n", `init_pid_ns.level, `nr_cpu_ids > 0);
	then = `jiffies;
}
tick-100ms
{
	printf("%d %d\n", `jiffies - then >= 10, `jiffies_64 - `jiffies < 5);
	exit(0);
}
