BEGIN
{
	@a = percentile(1, 50, "99.9"); @a = percentile(1, 50, 99);
}
