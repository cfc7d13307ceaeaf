/* More scratch memory than one element of a per-CPU BPF map can hold. */
#pragma D option quiet
#pragma D option strsize=8k

BEGIN
{
	this->a = strjoin(probename, "+");
	this->b = strjoin(this->a, this->a);
	this->c = strjoin(this->b, this->b);
	this->d = strjoin(this->c, this->c);
}

syscall::getppid:entry
{
	this->e = strjoin(probefunc, " in a firing that may interrupt another one");
	last = this->e;
}

BEGIN
{
	printf("%s %d\n", this->d, strlen(this->d));
	exit(0);
}
