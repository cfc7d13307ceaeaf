fake:::untranslated
{
	trace(args[0]);
}
