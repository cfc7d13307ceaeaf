/* A known exchange over the loopback interface, between addresses nobody else uses: 127.77.7.7 serves, 127.77.7.8 asks.
 *   sockets tcp        connects, sends 10 bytes, gets 2000, and both close, the server first
 *   sockets refused    connects to where nobody listens
 *   sockets udp N      N datagrams of 100 bytes
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
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

int main(int argc, char** argv) {
  const char* what = argc > 1 ? argv[1] : "";
  if (strcmp(what, "tcp") == 0) return tcp();
  if (strcmp(what, "refused") == 0) return refused();
  if (strcmp(what, "udp") == 0) return udp(argc > 2 ? atol(argv[2]) : 1);
  return 2;
}
