inline int limit = 3;
BEGIN
{
	print(limit);
}
