BEGIN
{
	x = (void *)0;
	x++;
}
