BEGIN
{
	y = nosuch;
	x = offsetof(int, a) + 1 / 0;
}
