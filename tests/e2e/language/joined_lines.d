/* A backslash at the end of a line is a blank, also between descriptions, predicate and body. */
#pragma D option quiet

BEGIN,\
END \
/ 1 / \
{
	@["fired"] \
	= count();
} \
BEGIN \
{ exit(0); }
