/* System call arguments compared with C macros. @@options: -qC */
/* @@command: %T/calls open /dev/null 1 */
#include <fcntl.h>
#include <sys/uio.h>

inline int MODE = O_ACCMODE;

syscall::open:entry,
syscall::openat:entry
/pid == $target/
{
	this->flags = probefunc == "open" ? arg1 : arg2;
	printf("%s %d %d\n", "opened", (this->flags & MODE) == O_RDONLY, (this->flags & O_CREAT) != 0);
}

END
{
	printf("%d %d\n", sizeof (struct iovec), offsetof(struct iovec, iov_len));
}
