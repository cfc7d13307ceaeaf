BEGIN
{
	x = pid ? (trace(1), 1) : 2;
}
