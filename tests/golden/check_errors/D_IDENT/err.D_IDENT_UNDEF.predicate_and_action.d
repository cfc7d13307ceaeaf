BEGIN
/x++ == 0 && y == 1/
{
	y = x;
}
