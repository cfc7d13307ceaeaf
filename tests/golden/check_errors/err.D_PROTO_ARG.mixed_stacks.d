BEGIN
{
	@a[stack()] = count();
	@a[ustack()] = count();
}
