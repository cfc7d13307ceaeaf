/* A conditional action has a byte in the record that says whether it ran. */
BEGIN
{
	if (pid > 1)
		trace(1);
	else
		printf("%d", 2);
	pid == 7 ? trace("seven") : trace(0);
	trace(3);
}
