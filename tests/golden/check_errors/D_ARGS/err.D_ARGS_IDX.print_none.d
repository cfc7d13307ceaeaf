BEGIN
{
	print(args);
}
