/* Sizes that exceed any record: the offsets after them must not wrap around. */
struct large { char a[3000000000]; };
BEGIN
{
	trace(*(struct large *)0);
	print((struct large *)0);
	tracemem(0, 6000000000);
	trace(1);
}
