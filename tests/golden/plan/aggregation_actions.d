tick-1
{
	@a[pid] = count();
	@b[pid] = sum(1);
	printa(@a);
	printa("%d %@d %@d\n", @a, @b);
	clear(@a);
	trunc(@b, 5);
	trunc(@a);
	normalize(@b, 1000);
	denormalize(@b);
}
