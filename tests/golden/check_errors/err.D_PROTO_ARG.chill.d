BEGIN
{
	chill("x");
}
