BEGIN
{
	normalize(1);
}
