/* An element is read and written. Its key is one of two structures, one of them in user memory. */
struct narrow { long m0; int8_t m1:2; unsigned char m2:5; signed char m3; char m4[8]; };
struct wide { string m0; long long m1; char m2[12]; string m3; };
self struct wide o;
self unsigned long *p;
self struct narrow a[5];
self struct narrow t[struct narrow];

syscall::getpid:entry
/pid == 1/
{
	this->i = (long long)3161794452995914076ull;
	self->p;
}

syscall::getpid:entry
/pid == 1/
{
	self->t[this->i ? *((userland struct narrow *)(arg4 + 36)) : self->a[1]].m2 ^= (int)self->o.m2[6];
}
