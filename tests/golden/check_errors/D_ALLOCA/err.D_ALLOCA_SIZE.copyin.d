BEGIN
{
	p = copyin(arg0, 16385);
}
