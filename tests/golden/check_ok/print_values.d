BEGIN
{
	x = 1;
	s = "x";
	print(x);
	print(s);
	print(execname);
	print((char)1);
	print(x + 1);
}
