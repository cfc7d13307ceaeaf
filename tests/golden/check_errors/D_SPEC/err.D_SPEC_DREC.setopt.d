BEGIN
{
	setopt("quiet");
	speculate(1);
}
