/* An action that may not run has a byte that says whether it did. */
BEGIN
{
	if (pid > 1)
		trace(1);
	else
		printf("%d", 2);
	pid == 7 ? trace("seven") : trace(0);
	trace(3);
}
