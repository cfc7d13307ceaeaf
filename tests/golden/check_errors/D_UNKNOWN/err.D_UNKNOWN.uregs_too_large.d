BEGIN
{
	trace(uregs[26]);
}
