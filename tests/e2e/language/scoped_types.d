/* Types qualified by origin: of the program (D`), of the kernel. */
#pragma D option quiet

struct own { int a; long b; };
typedef struct own own_t;
self vmlinux`pid_t p;

BEGIN
{
	this->o = (struct D`own *)NULL;
	this->t = (D`own_t *)NULL;
	self->p = (vmlinux`pid_t)pid;
	printf("%d %d %d %d\n", sizeof (struct D`own), sizeof (D`own_t), sizeof (vmlinux`pid_t), self->p == pid);
	printf("%d\n", sizeof (struct vmlinux`list_head));
	exit(0);
}
