BEGIN
{
	p = copyin(arg0, 257);
}
