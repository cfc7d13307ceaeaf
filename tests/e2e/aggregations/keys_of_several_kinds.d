/* Symbols and their modules as keys of one aggregation: each prints in its own form. */
#pragma D option quiet

BEGIN
{
	this->f = (uintptr_t)&`vfs_read;
	@a["x", sym(this->f + 4)] = count();
	@a["x", mod(this->f)] = count();
	@a["x", func(this->f + 8)] = count();
	@u[usym(0x10)] = count();
	@u[umod(0x10)] = count();
	@u[uaddr(0x10)] = count();
	@b["x", sym(this->f)] = max(3);
}

BEGIN
{
	printa("%s %a %@d\n", @a);
	printa(@a);
	printa("%A %@d\n", @u);
	printa("%s %a %@d %@d\n", @a, @b);
	exit(0);
}
