BEGIN
{
	if (arg0 > 1) {
		x = 1;
		trace(x);
	} else if (arg0 == 1)
		x = 2;
	else {
		;
	}
	if (x) ; else y = 1;
	if (y) if (z) a = 1; else a = 2;
	trace(a)
}
