inline int f[int x] = x + x + x + x;
inline int g[int x] = x > 0 ? f[x] : f[x] + 1;
BEGIN
{
	trace(f[f[f[f[f[f[pid + 1]]]]]]);
	trace(g[f[f[f[f[f[pid + 1]]]]]]);
}
