/* Symbols as keys: all addresses of one symbol are one key. printa() joins aggregations by symbols, alone and beside other keys. */
#pragma D option quiet

BEGIN
{
	this->f = (uintptr_t)&`vfs_read;
	this->g = (uintptr_t)&`vfs_write;
	@a[sym(this->f)] = count();
	@a[sym(this->f + 4)] = count();
	@a[sym(this->g)] = count();
	@b[sym(this->f + 1)] = sum(10);
	@c[sym(this->f)] = max(-1);
	@m[mod(this->f), "x"] = count();
	@m[mod(this->g), "x"] = count();
	@m[mod(1), "y"] = count();
	@u[uaddr(0x10), 1] = count();
	@s[func(this->f)] = count();
	@s[sym(this->f + 4)] = count();
	@t[usym(0x10)] = count();
	@t[ufunc(0x10)] = count();
}

BEGIN
{
	printa(@a);
	printa(@a, @b, @c);
	printa("%a|%@d|%@d|%@5d|\n", @a, @b, @c);
	printa("%-24a|%@d\n", @a);
	printa("%-10a|%s|%@d\n", @m);
	printa(@m);
	printa("%A %d %@d\n", @u);
	printa(@u);
	printa(@s);
	printa(@t);
	exit(0);
}
