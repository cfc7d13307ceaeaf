BEGIN
{
	trace(uregs);
}
