BEGIN
{
	p = pid ? (char *)copyin(arg0, 8) : (char *)arg1;
}
