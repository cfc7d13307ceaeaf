/* Clause-local variables in ERROR are those of the clause that faulted, and the clauses behind it see what ERROR assigns. */
#pragma D option quiet

BEGIN
{
	this->number = 5;
	this->text = "five";
	trace(*(int *)0);
}

ERROR
{
	printf("%d %s\n", this->number, this->text);
	this->number = 6;
}

BEGIN
{
	printf("%d %s\n", this->number, this->text);
	exit(0);
}
