BEGIN
{
	setopt("quiet");
	setopt(execname, "1");
}
