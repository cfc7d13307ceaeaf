/* ERROR reads the clause-local variables of the faulting clause, and later clauses read the values that ERROR assigns. */
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
