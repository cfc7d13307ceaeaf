profile-97
{
	stack();
	stack(5);
	ustack(10);
	sym(arg0);
	usym(arg1);
	printf("%k", stack(3));
}
