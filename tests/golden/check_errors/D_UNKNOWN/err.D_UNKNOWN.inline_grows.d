inline int f[int x] = x + x + x + x;
BEGIN
{
	trace(f[f[f[f[f[f[f[f[f[pid]]]]]]]]]);
}
