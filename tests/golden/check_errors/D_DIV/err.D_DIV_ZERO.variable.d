BEGIN
{
	x = pid / 0;
}
