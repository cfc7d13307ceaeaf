// tun_segment: puts a TCP segment into the network by a device of its own, as a VPN does: from 10.77.9.2:4242 to
// 10.77.9.1:4243, a SYN. In a network namespace of its own. Exit status 77: not permitted here.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <netinet/ip.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

struct segment {
  struct iphdr ip;
  struct tcphdr tcp;
};

static uint16_t checksum(const void* header, size_t bytes) {
  uint32_t sum = 0;
  uint16_t word;
  for (size_t at = 0; at < bytes; at += sizeof word) {
    memcpy(&word, (const char*)header + at, sizeof word);
    sum += word;
  }
  while (sum >> 16) sum = (sum & 0xffff) + (sum >> 16);
  return (uint16_t)~sum;
}

int main(void) {
  if (unshare(CLONE_NEWNET) != 0) return 77;
  int device = open("/dev/net/tun", O_RDWR);
  struct ifreq request = {.ifr_name = "tun0"};
  request.ifr_flags = IFF_TUN | IFF_NO_PI;
  if (device < 0 || ioctl(device, TUNSETIFF, &request) != 0) return 77;
  int socket_of_any = socket(AF_INET, SOCK_DGRAM, 0);
  request.ifr_flags = IFF_UP | IFF_RUNNING;
  if (ioctl(socket_of_any, SIOCSIFFLAGS, &request) != 0) return 1;

  struct segment segment = {
      .ip = {.ihl = 5, .version = 4, .tot_len = htons(sizeof segment), .ttl = 64, .protocol = IPPROTO_TCP},
      .tcp = {.source = htons(4242), .dest = htons(4243), .doff = 5, .syn = 1, .window = htons(1000)}};
  segment.ip.saddr = inet_addr("10.77.9.2");
  segment.ip.daddr = inet_addr("10.77.9.1");
  segment.ip.check = checksum(&segment.ip, sizeof segment.ip);
  return write(device, &segment, sizeof segment) == (ssize_t)sizeof segment ? 0 : 1;
}
