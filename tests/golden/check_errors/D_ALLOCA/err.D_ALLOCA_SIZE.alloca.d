BEGIN
{
	p = alloca(300);
}
