BEGIN
{
	@a[stack(pid)] = count();
}
