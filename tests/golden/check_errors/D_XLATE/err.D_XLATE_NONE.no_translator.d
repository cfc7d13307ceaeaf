BEGIN
{
	trace(xlate <struct list_head *> (curthread)->next);
}
