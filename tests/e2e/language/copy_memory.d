/* bcopy() from strings, scratch, variables and the kernel; copyin() and copyinto() from a write(2). */
/* @@command: %T/calls text hello 3 */
#pragma D option quiet

char letters[4];

BEGIN
{
	this->s = (char *)alloca(20);
	bcopy("hello", this->s, 6);
	this->d = (char *)alloca(20);
	bcopy(this->s, this->d, 6);
	this->d[0] = 'j';
	printf("%s %s\n", stringof(this->s), stringof(this->d));
	letters[0] = 'p';
	letters[1] = 'q';
	bcopy(letters, this->d, 4);
	bcopy(&letters[1], this->s, 1);
	printf("%s %s\n", stringof(this->s), stringof(this->d));
	bcopy(curthread->comm, this->s, 16);
	printf("%d\n", stringof(this->s) == execname);
}

syscall::write:entry
/pid == $target && arg2 >= 4/
{
	this->c = (char *)copyin(arg1, 4);
	this->d = (char *)alloca(8);
	copyinto(arg1 + 1, 3, this->d);
	this->d[3] = 0;
	printf("%d %d\n", this->c[1] == this->d[0] && this->c[3] == this->d[2], strlen(stringof(this->d)) <= 3);
	exit(0);
}

ERROR { printf("fault %d\n", arg4); exit(1); }
