BEGIN
{
	x = (int *)0;
	trace(x->a);
}
