BEGIN
{
	print(1);
}
