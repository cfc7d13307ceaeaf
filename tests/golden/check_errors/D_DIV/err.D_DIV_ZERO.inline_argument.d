inline int f[int x] = 10 / x;
BEGIN
{
	trace(f[0]);
}
