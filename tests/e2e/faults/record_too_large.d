/* Sizes that no record can have: the offsets behind them do not wrap around. */
struct large { char a[3000000000]; };
BEGIN
{
	trace(*(struct large *)0);
	print((struct large *)0);
	tracemem(0, 6000000000);
	trace(1);
}
