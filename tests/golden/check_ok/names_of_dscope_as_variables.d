/* Names that only dscope gives a meaning are free for variables, arrays and inlines of scripts. */
inline int namespace = 4;
string pod;

BEGIN
{
	image = 1;
	pod = "p";
	container[pid] = namespace + image;
	snapshot = container[pid];
	trace(json("{\"a\":1}", "a"));
}
