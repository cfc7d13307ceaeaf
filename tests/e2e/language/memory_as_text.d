/* memstr() joins several strings into one. memref() stores an address and a size. */
#pragma D option quiet

BEGIN
{
	this->a = (char *)alloca(16);
	this->a[0] = 'l';
	this->a[1] = 's';
	this->a[2] = '\0';
	this->a[3] = '-';
	this->a[4] = 'l';
	this->a[5] = '\0';
	this->a[6] = '/';
	this->a[7] = '\0';
	printf("<%s>", memstr(this->a, ' ', 8));
	printf("<%s>", memstr(this->a, '|', 5));
	printf("<%s>", memstr(this->a, '\0', 8));
	printf("<%s>", memstr(this->a, ' ', 1));
	printf("<%s>", memstr(this->a, ' ', 0));
	this->n = 4;
	printf("<%s> %d", memstr(this->a, ' ', this->n), strlen(memstr(this->a, ' ', 8)));
	@[memstr(this->a, '+', 8)] = count();
	printa("<%s %@d>\n", @);
}

BEGIN
{
	this->m = memref(curthread->comm, 5);
	printf("%d %d\n", this->m[0] == (uintptr_t)&curthread->comm[0], this->m[1]);
	printf("<%s>", memstr((void *)this->m[0], '.', this->m[1] + 1));
	printf("<%s>\n", memstr(curthread->comm, '.', 9));
}

BEGIN
{
	trace(memstr((void *)0, ' ', 5));
}

BEGIN
{
	trace(memstr(curthread->comm, ' ', -1));
}

BEGIN
{
	exit(0);
}
