BEGIN
/nosuch/
{
	exit(0);
}
