BEGIN
{
	x = 1 foo bar;
}
