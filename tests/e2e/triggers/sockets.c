/* A known exchange over the loopback interface, on otherwise unused addresses: server 127.77.7.7, client 127.77.7.8.
 *   sockets tcp        connects, sends 10 bytes, receives 2000; both ends close, the server first
 *   sockets refused    connects to a closed port
 *   sockets refused6   the same with IPv6, at ::1
 *   sockets large N    sends N bytes in one call
 *   sockets udp N      N datagrams of 100 bytes
 *   sockets closed N   N datagrams to a closed port
 *   sockets pieces N   N datagrams of 4000 bytes by IPv4, by IPv6, and by IPv6 with destination options, each in
 *                      several fragments; in its own network namespace, status 3 if it cannot create one
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

static struct sockaddr_in address(const char* text, int port) {
  struct sockaddr_in result = {.sin_family = AF_INET, .sin_port = htons((unsigned short)port)};
  inet_pton(AF_INET, text, &result.sin_addr);
  return result;
}

static int bound(int type, const char* text, int port) {
  struct sockaddr_in own = address(text, port);
  int one = 1, fd = socket(AF_INET, type, 0);
  setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
  return bind(fd, (struct sockaddr*)&own, sizeof own) == 0 ? fd : -1;
}

static struct sockaddr_in name_of(int fd) {
  struct sockaddr_in name;
  socklen_t size = sizeof name;
  getsockname(fd, (struct sockaddr*)&name, &size);
  return name;
}

static long read_all(int fd, long wanted) {
  char bytes[4096];
  long got = 0;
  for (ssize_t size = 1; got < wanted && size > 0; got += size > 0 ? size : 0) size = read(fd, bytes, sizeof bytes);
  return got;
}

static int tcp(void) {
  static char bytes[2000];
  int listener = bound(SOCK_STREAM, "127.77.7.7", 0), client = bound(SOCK_STREAM, "127.77.7.8", 0);
  struct sockaddr_in server_name = name_of(listener);
  if (listen(listener, 1) != 0 || connect(client, (struct sockaddr*)&server_name, sizeof server_name) != 0) return 3;
  int server = accept(listener, NULL, NULL);
  if (write(client, bytes, 10) != 10 || read_all(server, 10) != 10) return 3;
  if (write(server, bytes, sizeof bytes) != sizeof bytes || read_all(client, sizeof bytes) != sizeof bytes) return 3;
  close(server);
  char nothing;
  int is_end = read(client, &nothing, 1) == 0;
  close(client);
  close(listener);
  return is_end ? 0 : 3;
}

static int refused(void) {
  int client = bound(SOCK_STREAM, "127.77.7.8", 0);
  struct sockaddr_in nobody = address("127.77.7.7", 1);
  return connect(client, (struct sockaddr*)&nobody, sizeof nobody) == 0 ? 3 : 0;
}

static int refused6(void) {
  struct sockaddr_in6 nobody = {.sin6_family = AF_INET6, .sin6_port = htons(1), .sin6_addr = IN6ADDR_LOOPBACK_INIT};
  int client = socket(AF_INET6, SOCK_STREAM, 0);
  return connect(client, (struct sockaddr*)&nobody, sizeof nobody) == 0 ? 3 : 0;
}

static int large(long count) {
  int listener = bound(SOCK_STREAM, "127.77.7.7", 0), client = bound(SOCK_STREAM, "127.77.7.8", 0);
  struct sockaddr_in server_name = name_of(listener);
  if (listen(listener, 1) != 0 || connect(client, (struct sockaddr*)&server_name, sizeof server_name) != 0) return 3;
  int server = accept(listener, NULL, NULL);
  char* bytes = calloc(1, (size_t)count);
  if (fork() == 0) _exit(write(client, bytes, (size_t)count) == count ? 0 : 3);
  return read_all(server, count) == count ? 0 : 3;
}

static int is_sent(int family, const void* options, socklen_t options_size) {
  static char bytes[4000];
  struct sockaddr_in6 name6 = {.sin6_family = AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT};
  struct sockaddr_in name4 = address("127.77.7.7", 0);
  struct sockaddr* name = family == AF_INET6 ? (struct sockaddr*)&name6 : (struct sockaddr*)&name4;
  socklen_t size = family == AF_INET6 ? sizeof name6 : sizeof name4;
  int server = socket(family, SOCK_DGRAM, 0), client = socket(family, SOCK_DGRAM, 0);
  if (bind(server, name, size) != 0 || getsockname(server, name, &size) != 0) return 0;
  if (options != NULL && setsockopt(client, IPPROTO_IPV6, IPV6_DSTOPTS, options, options_size) != 0) return 0;
  if (sendto(client, bytes, sizeof bytes, 0, name, size) != sizeof bytes) return 0;
  return recv(server, bytes, sizeof bytes, 0) == sizeof bytes;
}

static int pieces(long count) {
  struct ifreq loopback = {.ifr_name = "lo", .ifr_mtu = 1500};
  const unsigned char padding[8] = {0, 0, 1, 4, 0, 0, 0, 0};
  if (unshare(CLONE_NEWNET) != 0) return 3;
  int control = socket(AF_INET, SOCK_DGRAM, 0);
  if (ioctl(control, SIOCSIFMTU, &loopback) != 0) return 3;
  loopback.ifr_flags = IFF_UP;
  if (ioctl(control, SIOCSIFFLAGS, &loopback) != 0) return 3;
  while (count-- > 0)
    if (!is_sent(AF_INET, NULL, 0) || !is_sent(AF_INET6, NULL, 0) || !is_sent(AF_INET6, padding, sizeof padding))
      return 3;
  return 0;
}

static int udp(long count) {
  char bytes[100] = {0};
  int server = bound(SOCK_DGRAM, "127.77.7.7", 0), client = bound(SOCK_DGRAM, "127.77.7.8", 0);
  struct sockaddr_in server_name = name_of(server);
  while (count-- > 0) {
    sendto(client, bytes, sizeof bytes, 0, (struct sockaddr*)&server_name, sizeof server_name);
    if (read_all(server, sizeof bytes) != sizeof bytes) return 3;
  }
  return 0;
}

static int closed(long count) {
  char byte = 0;
  int client = bound(SOCK_DGRAM, "127.77.7.8", 0);
  struct sockaddr_in nobody = address("127.77.7.7", 1);
  while (count-- > 0)
    if (sendto(client, &byte, 1, 0, (struct sockaddr*)&nobody, sizeof nobody) != 1) return 3;
  return 0;
}

int main(int argc, char** argv) {
  const char* mode = argc > 1 ? argv[1] : "";
  if (strcmp(mode, "tcp") == 0) return tcp();
  if (strcmp(mode, "refused") == 0) return refused();
  if (strcmp(mode, "refused6") == 0) return refused6();
  if (strcmp(mode, "large") == 0) return large(argc > 2 ? atol(argv[2]) : 1);
  if (strcmp(mode, "closed") == 0) return closed(argc > 2 ? atol(argv[2]) : 1);
  if (strcmp(mode, "pieces") == 0) return pieces(argc > 2 ? atol(argv[2]) : 1);
  if (strcmp(mode, "udp") == 0) return udp(argc > 2 ? atol(argv[2]) : 1);
  return 2;
}
