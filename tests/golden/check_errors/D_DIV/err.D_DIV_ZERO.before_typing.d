BEGIN
{
	y = nosuch;
	x = pid % -0 + offsetof(int, a);
}
