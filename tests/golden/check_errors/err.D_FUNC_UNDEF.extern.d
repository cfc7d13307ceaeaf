BEGIN
{
	trace(fact(1));
}
