inline int X = 0;
BEGIN
{
	x = 1 / X;
}
