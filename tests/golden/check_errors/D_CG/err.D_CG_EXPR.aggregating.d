BEGIN
{
	avg(1);
}
