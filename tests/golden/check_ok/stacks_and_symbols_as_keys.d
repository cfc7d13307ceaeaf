BEGIN
{
	@a[stack()] = count();
	@a[ustack()] = count();
	@a[stack(3)] = count();
	@b[sym(1)] = count();
	@b[mod(1)] = count();
}
