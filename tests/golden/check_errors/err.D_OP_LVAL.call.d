BEGIN
{
	rand()++;
}
