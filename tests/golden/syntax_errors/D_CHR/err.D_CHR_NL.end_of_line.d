BEGIN
{
	trace('
');
}
