/* Predicates read arrays above the clauses that assign to them. */
#pragma D option quiet

BEGIN
/!pending[1]/
{
	printf("absent %d \"%s\"\n", pending[1], self->names[1] != NULL ? self->names[1] : "");
}

BEGIN
{
	pending[1] = 0x100000000;
	self->names[1] = "one";
}

BEGIN
/pending[1]/
{
	printf("%d %s\n", pending[1], self->names[1]);
	exit(0);
}
