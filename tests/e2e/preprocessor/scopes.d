/* The pseudo objects C and D. @@options: -qC */
#include "scopes.h"
struct both { int i; int j; };
struct hidden { long l; };

BEGIN
{
	printf("%d %d %d\n", sizeof (struct both), sizeof (struct C`both), sizeof (struct D`both));
	printf("%d %d\n", sizeof (struct hidden), sizeof (C`c_only_t));
	printf("%d %d %d\n", sizeof (pid_t), sizeof (C`pid_t), sizeof (D`pid_t));
	printf("%d %d\n", sizeof (struct task_struct), sizeof (struct vmlinux`task_struct) > 1000);
	printf("%d %d\n", FREE, tid == 1);
	exit(0);
}
