BEGIN
{
	printa(execname);
}
