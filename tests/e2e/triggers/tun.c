/* Injects packets through its own tun devices, as a VPN does, in its own network namespace. tun0 has the
 * addresses 10.77.9.1 and fd77:9::1, tun1 10.77.10.1 and fd77:a::1; all packets come from 10.77.9.2 or fd77:9::2, port
 * 4242.
 *   tun segment      a SYN to the closed port 10.77.9.1:4243
 *   tun routed       a router, after warm-up packets: by IPv4 and by IPv6, to port 4243, 5 datagrams that are
 *                    forwarded to .2 or ::2 of tun1's network, 3 to a socket at the address of tun0, 2 at that of tun1;
 *                    4 to the closed port 4244 of tun0; 5 forwarded SYNs, 3 refused SYNs
 *   tun bridged      tun0 takes frames, and is a port of the bridge br0, which has its addresses: 3 datagrams arrive
 *                    at a socket at 10.77.9.1:4243, and 2 broadcasts leave, to port 4242
 *   tun macvlan      the same, with a macvlan device, mv0, on tun0
 *   tun unanswered   a SYN to a listener, which answers it and retransmits the answer
 * Exit status 77: not permitted here.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/if_tun.h>
#include <linux/rtnetlink.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/ip.h>
#include <netinet/ip6.h>
#include <netinet/tcp.h>
#include <netinet/udp.h>
#include <poll.h>
#include <sched.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

struct address6 {
  struct in6_addr address;
  uint32_t prefix;
  int index;
};

static void require(int condition) {
  if (!condition) exit(1);
}

static int make_device(const char* name, int kind) {
  int fd = open("/dev/net/tun", O_RDWR);
  struct ifreq request = {.ifr_flags = (short)(kind | IFF_NO_PI)};
  strcpy(request.ifr_name, name);
  if (fd < 0 || ioctl(fd, TUNSETIFF, &request) != 0) exit(77);
  return fd;
}

static void bring_up(const char* name) {
  struct ifreq request = {.ifr_flags = IFF_UP | IFF_RUNNING};
  int any = socket(AF_INET, SOCK_DGRAM, 0);
  strcpy(request.ifr_name, name);
  require(ioctl(any, SIOCSIFFLAGS, &request) == 0);
  close(any);
}

static void set_addresses(const char* name, const char* address, const char* address6) {
  struct ifreq request = {0};
  strcpy(request.ifr_name, name);
  int any = socket(AF_INET, SOCK_DGRAM, 0), any6 = socket(AF_INET6, SOCK_DGRAM, 0);
  struct sockaddr_in* assigned = (struct sockaddr_in*)&request.ifr_addr;
  *assigned = (struct sockaddr_in){.sin_family = AF_INET, .sin_addr.s_addr = inet_addr(address)};
  require(ioctl(any, SIOCSIFADDR, &request) == 0);
  assigned->sin_addr.s_addr = inet_addr("255.255.255.0");
  require(ioctl(any, SIOCSIFNETMASK, &request) == 0);
  bring_up(name);
  struct address6 assigned6 = {.prefix = 64, .index = (int)if_nametoindex(name)};
  inet_pton(AF_INET6, address6, &assigned6.address);
  require(ioctl(any6, SIOCSIFADDR, &assigned6) == 0);
  close(any);
  close(any6);
}

static int device(const char* name, const char* address, const char* address6) {
  int fd = make_device(name, IFF_TUN);
  set_addresses(name, address, address6);
  return fd;
}

// The link header before IP: empty, or a frame's destination, source and protocol.
static unsigned char frame[14] = {[12] = 8};
static size_t frame_size = 0;

// Gives tun0's addresses to the device `name`, which receives and sends its frames through tun0.
static void set_up_upper_device(const char* name) {
  struct ifreq request = {0};
  int any = socket(AF_INET, SOCK_DGRAM, 0);
  bring_up("tun0");
  set_addresses(name, "10.77.9.1", "fd77:9::1");
  strcpy(request.ifr_name, name);
  require(ioctl(any, SIOCGIFHWADDR, &request) == 0);
  memcpy(frame, request.ifr_hwaddr.sa_data, 6);
  memset(frame + 6, 2, 6);
  frame_size = sizeof frame;
  close(any);
}

static void make_bridge(void) {
  int any = socket(AF_INET, SOCK_DGRAM, 0);
  struct ifreq request = {.ifr_name = "br0", .ifr_ifindex = (int)if_nametoindex("tun0")};
  if (ioctl(any, SIOCBRADDBR, "br0") != 0) exit(77);
  require(ioctl(any, SIOCBRADDIF, &request) == 0);
  close(any);
  set_up_upper_device("br0");
}

static void make_macvlan(void) {
  struct {
    struct nlmsghdr header;
    struct ifinfomsg link;
    struct rtattr name_head;
    char name[4];
    struct rtattr below_head;
    int below;
    struct rtattr info_head, kind_head;
    char kind[8];
  } request = {.header = {.nlmsg_len = sizeof request,
                          .nlmsg_type = RTM_NEWLINK,
                          .nlmsg_flags = NLM_F_REQUEST | NLM_F_CREATE | NLM_F_ACK},
               .name_head = {.rta_len = 8, .rta_type = IFLA_IFNAME},
               .name = "mv0",
               .below_head = {.rta_len = 8, .rta_type = IFLA_LINK},
               .below = (int)if_nametoindex("tun0"),
               .info_head = {.rta_len = 16, .rta_type = IFLA_LINKINFO},
               .kind_head = {.rta_len = 11, .rta_type = IFLA_INFO_KIND},
               .kind = "macvlan"};
  struct {
    struct nlmsghdr header;
    struct nlmsgerr error;
  } answer = {0};
  int kernel = socket(AF_NETLINK, SOCK_RAW, NETLINK_ROUTE);
  require(send(kernel, &request, sizeof request, 0) == sizeof request && recv(kernel, &answer, sizeof answer, 0) > 0);
  if (answer.error.error != 0) exit(77);
  close(kernel);
  set_up_upper_device("mv0");
}

static void write_file(const char* path, const char* text) {
  int file = open(path, O_WRONLY);
  require(write(file, text, strlen(text)) == (ssize_t)strlen(text));
  close(file);
}

static uint32_t sum_of(const void* bytes, size_t size, uint32_t sum) {
  uint16_t word;
  for (size_t at = 0; at < size; at += sizeof word) {
    memcpy(&word, (const char*)bytes + at, sizeof word);
    sum += word;
  }
  return sum;
}

static uint16_t folded(uint32_t sum) {
  while (sum >> 16) sum = (sum & 0xffff) + (sum >> 16);
  return (uint16_t)~sum;
}

// Writes `transport`, whose checksum field is at `checksum`, after an IP header.
static void put(int device, const char* from, const char* to, int protocol, void* transport, size_t size,
                size_t checksum) {
  char written[200] = {0}, *packet = written + frame_size;
  size_t header = strchr(to, ':') == NULL ? sizeof(struct iphdr) : sizeof(struct ip6_hdr);
  uint32_t sum = htons((uint16_t)protocol) + htons((uint16_t)size);
  if (header == sizeof(struct iphdr)) {
    struct iphdr* ip = (struct iphdr*)packet;
    *ip = (struct iphdr){.ihl = 5, .version = 4, .tot_len = htons((uint16_t)(header + size)), .ttl = 64};
    ip->protocol = (uint8_t)protocol;
    ip->saddr = inet_addr(from);
    ip->daddr = inet_addr(to);
    ip->check = folded(sum_of(ip, header, 0));
    sum = sum_of(&ip->saddr, 8, sum);
  } else {
    struct ip6_hdr* ip = (struct ip6_hdr*)packet;
    *ip =
        (struct ip6_hdr){.ip6_flow = htonl(6U << 28), .ip6_plen = htons((uint16_t)size), .ip6_nxt = (uint8_t)protocol};
    ip->ip6_hlim = 64;
    inet_pton(AF_INET6, from, &ip->ip6_src);
    inet_pton(AF_INET6, to, &ip->ip6_dst);
    sum = sum_of(&ip->ip6_src, 32, sum);
  }
  memcpy(packet + header, transport, size);
  uint16_t check = folded(sum_of(transport, size, sum));
  memcpy(packet + header + checksum, &check, sizeof check);
  memcpy(written, frame, frame_size);
  require(write(device, written, frame_size + header + size) == (ssize_t)(frame_size + header + size));
}

static void put_datagram(int device, const char* from, const char* to, int port) {
  struct udphdr udp = {.source = htons(4242), .dest = htons((uint16_t)port), .len = htons(sizeof udp)};
  put(device, from, to, IPPROTO_UDP, &udp, sizeof udp, offsetof(struct udphdr, check));
}

static void put_request(int device, const char* from, const char* to, int port) {
  struct tcphdr tcp = {.source = htons(4242), .doff = 5, .syn = 1, .window = htons(1000)};
  tcp.dest = htons((uint16_t)port);
  put(device, from, to, IPPROTO_TCP, &tcp, sizeof tcp, offsetof(struct tcphdr, check));
}

static int bound(int type, int port) {
  struct sockaddr_in6 name = {.sin6_family = AF_INET6, .sin6_port = htons((uint16_t)port)};
  int fd = socket(AF_INET6, type, 0);
  require(bind(fd, (struct sockaddr*)&name, sizeof name) == 0);
  return fd;
}

static int is_readable(int file, int milliseconds) {
  struct pollfd wanted = {.fd = file, .events = POLLIN};
  return poll(&wanted, 1, milliseconds) == 1;
}

// Waits until a kernel thread has activated the address.
static void warm_up(int device, int receiver, const char* from, const char* to) {
  char byte;
  do put_datagram(device, from, to, 4243);
  while (!is_readable(receiver, 1));
  while (is_readable(receiver, 0)) require(recv(receiver, &byte, 1, 0) == 0);
}

// Reads the next TCP segment that leaves through the device. Returns its flags.
static int next_flags(int device) {
  unsigned char packet[2000];
  do require(is_readable(device, 20000) && read(device, packet, sizeof packet) > 0);
  while (packet[0] >> 4 != 4 || packet[9] != IPPROTO_TCP);
  return packet[(packet[0] & 15) * 4 + 13];
}

static int segment(void) {
  put_request(device("tun0", "10.77.9.1", "fd77:9::1"), "10.77.9.2", "10.77.9.1", 4243);
  return 0;
}

static int routed(void) {
  int tun0 = device("tun0", "10.77.9.1", "fd77:9::1");
  int tun1 = device("tun1", "10.77.10.1", "fd77:a::1");
  (void)tun1;
  write_file("/proc/sys/net/ipv4/ip_forward", "1");
  write_file("/proc/sys/net/ipv6/conf/all/forwarding", "1");
  int receiver = bound(SOCK_DGRAM, 4243);
  const char* names[2][5] = {{"10.77.9.3", "10.77.9.2", "10.77.10.2", "10.77.9.1", "10.77.10.1"},
                             {"fd77:9::3", "fd77:9::2", "fd77:a::2", "fd77:9::1", "fd77:a::1"}};
  for (int i = 0; i < 2; ++i) {
    const char *other = names[i][0], *from = names[i][1], *beyond = names[i][2], *own = names[i][3], *far = names[i][4];
    warm_up(tun0, receiver, other, own);
    warm_up(tun0, receiver, other, far);
    for (int n = 0; n < 5; ++n) put_datagram(tun0, from, beyond, 4243);
    for (int n = 0; n < 3; ++n) put_datagram(tun0, from, own, 4243);
    for (int n = 0; n < 2; ++n) put_datagram(tun0, from, far, 4243);
    for (int n = 0; n < 4; ++n) put_datagram(tun0, from, own, 4244);
    for (int n = 0; n < 5; ++n) put_request(tun0, from, beyond, 4243);
    for (int n = 0; n < 3; ++n) put_request(tun0, from, own, 4243);
  }
  return 0;
}

static int on_top(void (*make)(void)) {
  int tun0 = make_device("tun0", IFF_TAP), receiver = bound(SOCK_DGRAM, 4243), one = 1;
  make();
  warm_up(tun0, receiver, "10.77.9.3", "10.77.9.1");
  for (int n = 0; n < 3; ++n) put_datagram(tun0, "10.77.9.2", "10.77.9.1", 4243);
  struct sockaddr_in all = {
      .sin_family = AF_INET, .sin_port = htons(4242), .sin_addr.s_addr = inet_addr("10.77.9.255")};
  int sender = socket(AF_INET, SOCK_DGRAM, 0);
  require(setsockopt(sender, SOL_SOCKET, SO_BROADCAST, &one, sizeof one) == 0);
  for (int n = 0; n < 2; ++n) require(sendto(sender, "", 0, 0, (struct sockaddr*)&all, sizeof all) == 0);
  return 0;
}

static int unanswered(void) {
  int tun0 = device("tun0", "10.77.9.1", "fd77:9::1");
  int listener = bound(SOCK_STREAM, 4243);
  require(listen(listener, 1) == 0);
  put_request(tun0, "10.77.9.2", "10.77.9.1", 4243);
  return next_flags(tun0) == (TH_SYN | TH_ACK) && next_flags(tun0) == (TH_SYN | TH_ACK) ? 0 : 1;
}

int main(int argc, char** argv) {
  const char* mode = argc > 1 ? argv[1] : "";
  if (unshare(CLONE_NEWNET) != 0) return 77;
  if (strcmp(mode, "segment") == 0) return segment();
  if (strcmp(mode, "routed") == 0) return routed();
  if (strcmp(mode, "bridged") == 0) return on_top(make_bridge);
  if (strcmp(mode, "macvlan") == 0) return on_top(make_macvlan);
  if (strcmp(mode, "unanswered") == 0) return unanswered();
  return 2;
}
