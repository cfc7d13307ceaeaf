struct s {
	int x;
} s;
BEGIN
{
	x = (int)s;
}
