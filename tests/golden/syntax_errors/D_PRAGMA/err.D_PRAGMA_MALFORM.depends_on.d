BEGIN
{
#pragma D depends_on provider
	exit(0);
}
