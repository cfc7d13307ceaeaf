// IP packets: the protocol and offset of the payload behind the IP headers.
#include "support.h"

#define IPV4_HEADER 20
#define IPV6_HEADER 40
#define MAX_EXTENSIONS 4

// Protocol numbers of IPv6 extension headers.
#define HOP_BY_HOP 0
#define ROUTING 43
#define FRAGMENT 44
#define DESTINATION 60

#define NO_PROTOCOL 0

DS_LOCAL u64 payload(u64 protocol, u64 bytes) { return protocol | bytes << 8; }

DS_LOCAL u64 ipv4_payload(const u8* header) {
  u64 bytes = (header[0] & 15) * 4;
  u64 fragment_offset = (header[6] & 0x1f) << 8 | header[7];
  return payload(fragment_offset != 0 ? NO_PROTOCOL : header[9], bytes);
}

// bpf_loop handles one extension header per iteration: LLVM would unroll a plain loop, and the verifier would follow
// each of its iterations.
struct extensions {
  u64 header;
  u64 bytes;
  u64 protocol;
};

static long next_extension(u64 index, void* state) {
  struct extensions* at = state;
  u64 kind = at->protocol;
  u8 extension[4] = {0};
  (void)index;
  if (kind != HOP_BY_HOP && kind != ROUTING && kind != DESTINATION && kind != FRAGMENT) return 1;
  if (bpf_probe_read_kernel(extension, sizeof extension, (const void*)(at->header + at->bytes)) != 0) return 1;
  at->protocol = extension[0];
  at->bytes += kind == FRAGMENT ? 8 : (extension[1] + 1) * 8;
  if (kind != FRAGMENT || (extension[2] | (extension[3] & 0xf8)) == 0) return 0;
  at->protocol = NO_PROTOCOL;
  return 1;
}

u64 ds_ip_payload(u64 header) {
  u8 first[IPV4_HEADER] = {0};
  bpf_probe_read_kernel(first, sizeof first, (const void*)header);
  if (first[0] >> 4 != 6) return ipv4_payload(first);
  struct extensions at = {.header = header, .bytes = IPV6_HEADER, .protocol = first[6]};
  bpf_loop(MAX_EXTENSIONS, next_extension, &at, 0);
  return payload(at.protocol & 0xff, at.bytes);
}
