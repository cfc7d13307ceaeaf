BEGIN
{
	print("x");
}
