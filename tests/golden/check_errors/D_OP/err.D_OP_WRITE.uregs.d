BEGIN
{
	uregs[1] = 2;
}
