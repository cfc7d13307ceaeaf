syscall::read:entry
{
	printf("%d %s\n", pid, execname);
	@reads[execname] = count();
	@sizes[pid] = lquantize(arg2, 0, 100, 10);
}
