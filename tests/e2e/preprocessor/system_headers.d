/* Types, enumerators and macros of the system's headers. @@options: -qC */
#include <sys/socket.h>
#include <sys/types.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/epoll.h>
#include <sys/stat.h>
#include <stdint.h>
#include <unistd.h>
#include <errno.h>
#include <stddef.h>

struct sockaddr_in address;

BEGIN
{
	printf("%d %d %d\n", AF_INET, SOCK_STREAM, IPPROTO_TCP);
	printf("%d %d\n", sizeof (struct sockaddr_in), offsetof(struct sockaddr_in, sin_addr));
	printf("%d\n", offsetof(struct tcp_info, tcpi_total_retrans));
	/* A packed struct, which only GNU C can declare. */
	printf("%d %d\n", sizeof (struct epoll_event), EPOLLOUT);
	printf("%d %d\n", sizeof (pid_t), sizeof (socklen_t));
	printf("%d %d\n", UINT32_MAX == 0xffffffff, SEEK_CUR);
	/* In the C library this macro expands to a function call. */
	printf("%d %d\n", errno, ENOENT);

}

BEGIN
{
	address.sin_family = AF_INET;
	address.sin_port = htons(80);
	printf("%d %x\n", address.sin_family, address.sin_port);
	exit(0);
}
