BEGIN
{
	x = (@a = count());
}
