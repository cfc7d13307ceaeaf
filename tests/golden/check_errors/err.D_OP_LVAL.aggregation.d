BEGIN
{
	(@a = count()) = count();
}
