BEGIN
{
	trace(uregs["a"]);
}
