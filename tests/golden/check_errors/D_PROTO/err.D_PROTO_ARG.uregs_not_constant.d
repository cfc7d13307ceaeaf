BEGIN
{
	trace(uregs[pid]);
}
