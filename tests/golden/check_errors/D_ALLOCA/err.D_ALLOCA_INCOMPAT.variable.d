BEGIN
{
	p = (char *)copyin(arg0, 8);
	p = (char *)arg1;
}
