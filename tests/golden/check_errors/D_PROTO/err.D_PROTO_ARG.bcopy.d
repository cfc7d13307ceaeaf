BEGIN
{
	bcopy("abc", curthread, 4);
}
