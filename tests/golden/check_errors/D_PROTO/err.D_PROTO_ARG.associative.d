BEGIN
{
	a["x"] = 3;
	a[1] = 4;
}
