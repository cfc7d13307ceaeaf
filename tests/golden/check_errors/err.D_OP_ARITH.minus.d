BEGIN
{
	trace(-"a");
}
