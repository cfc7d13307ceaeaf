// Decides whether an address belongs to this machine by the kernel's tables of local routes. The lookup follows the
// kernel's, but considers only routes to single addresses.
#include "support.h"

#define LOCAL_TABLE 255
#define IPV4_DESTINATION 16
#define IPV6_DESTINATION 24

// Route types RTN_LOCAL and RTN_MULTICAST. Broadcast and anycast lie between them.
#define FIRST_LOCAL 2
#define LAST_LOCAL 5

// Iteration limits. Tables share a hash bucket and routes share a trie leaf only in small numbers, and no path through
// the IPv4 trie or the IPv6 tree is longer.
#define MAX_TABLES 16
#define MAX_ROUTES 16
#define IPV4_STEPS 33
#define IPV6_STEPS 130

#define HAS_ROUTE 4  // RTN_RTINFO of struct fib6_node

// The state of a walk over kernel objects.
struct walk {
  u64 at;         // the object to visit next
  u64 found;      // the result of the walk, or 0
  u64 high, low;  // the address to find; an IPv4 address is in `low`
  const ds_route_layout* layout;
};

DS_LOCAL u64 read_byte(u64 address) {
  u8 byte = 0;
  bpf_probe_read_kernel(&byte, 1, (const void*)address);
  return byte;
}

DS_LOCAL u64 read_u32(u64 address) {
  u32 word = 0;
  bpf_probe_read_kernel(&word, sizeof word, (const void*)address);
  return word;
}

DS_LOCAL u64 is_local_type(u64 type) { return type >= FIRST_LOCAL && type <= LAST_LOCAL; }

// ---- IPv4: a hash table of route tables; each holds a trie of addresses whose leaves are lists of routes

static long table_step(u64 index, void* state) {
  struct walk* walk = state;
  (void)index;
  if (walk->at == 0) return 1;
  u64 table = walk->at - walk->layout->table_list;
  if (read_u32(table + walk->layout->table_number) == LOCAL_TABLE) {
    walk->found = table;
    return 1;
  }
  walk->at = ds_read_word(walk->at);
  return 0;
}

// A vector (struct key_vector) matches the address bits above its `position` + `bits`. The `bits` bits from `position`
// select its child.
static long vector_step(u64 index, void* state) {
  struct walk* walk = state;
  const ds_route_layout* layout = walk->layout;
  (void)index;
  if (walk->at == 0) return 1;
  u64 head = ds_read_word(walk->at);
  u64 key = head >> ((layout->vector_key & 7) * 8) & 0xffffffff;
  u64 position = head >> ((layout->vector_position & 7) * 8) & 63;
  u64 bits = head >> ((layout->vector_bits & 7) * 8) & 63;
  u64 choice = (walk->low ^ key) >> position;
  if (bits == 0) {
    walk->found = choice == 0 ? walk->at : 0;
    return 1;
  }
  if (choice >> bits != 0) return 1;
  walk->at = ds_read_word(walk->at + layout->vector_children + choice * 8);
  return 0;
}

static long route_step(u64 index, void* state) {
  struct walk* walk = state;
  const ds_route_layout* layout = walk->layout;
  (void)index;
  if (walk->at == 0) return 1;
  u64 route = walk->at - layout->route_list;
  // The suffix length is the number of address bits that a route leaves open: 0 for a route to a single address.
  if (read_byte(route + layout->route_suffix_length) == 0 &&
      is_local_type(read_byte(route + layout->route_type)) != 0) {
    walk->found = 1;
    return 1;
  }
  walk->at = ds_read_word(walk->at);
  return 0;
}

DS_LOCAL u64 is_local_ipv4(u64 net, u64 destination, const ds_route_layout* layout) {
  struct walk walk = {.low = __builtin_bswap32((u32)read_u32(destination)), .layout = layout};
  walk.at = ds_read_word(ds_read_word(net + layout->tables) + layout->local_tables);
  bpf_loop(MAX_TABLES, table_step, &walk, 0);
  if (walk.found == 0) return 0;
  walk.at = ds_read_word(ds_read_word(walk.found + layout->table_trie) + layout->trie_root + layout->vector_children);
  walk.found = 0;
  bpf_loop(IPV4_STEPS, vector_step, &walk, 0);
  if (walk.found == 0) return 0;
  walk.at = ds_read_word(walk.found + layout->vector_children);
  walk.found = 0;
  bpf_loop(MAX_ROUTES, route_step, &walk, 0);
  return walk.found;
}

// ---- IPv6: a tree that tests one address bit per node; the last matching route on the path wins

DS_LOCAL u64 is_same_prefix(const struct walk* walk, u64 route) {
  u64 length = read_u32(route + walk->layout->route6_length);
  u64 at = route + walk->layout->route6_address;
  u64 high = __builtin_bswap64(ds_read_word(at)) ^ walk->high;
  u64 low = __builtin_bswap64(ds_read_word(at + 8)) ^ walk->low;
  if (length == 0) return 1;
  if (length <= 64) return high >> ((64 - length) & 63) == 0;
  return high == 0 && low >> ((128 - length) & 63) == 0;
}

static long node_step(u64 index, void* state) {
  struct walk* walk = state;
  const ds_route_layout* layout = walk->layout;
  u64 node = walk->at;
  (void)index;
  if (node == 0) return 1;
  u64 route = ds_read_word(node + layout->node_route);
  if (route != 0 && (read_byte(node + layout->node_flags) & HAS_ROUTE) != 0 && is_same_prefix(walk, route) != 0)
    walk->found = is_local_type(read_byte(route + layout->route6_type));
  u64 bit = read_byte(node + layout->node_bit);
  if (bit > 127) return 1;
  u64 word = bit < 64 ? walk->high : walk->low;
  u64 is_right = word >> (63 - (bit & 63)) & 1;
  walk->at = ds_read_word(node + (is_right != 0 ? layout->node_right : layout->node_left));
  return 0;
}

DS_LOCAL u64 is_local_ipv6(u64 net, u64 destination, const ds_route_layout* layout) {
  struct walk walk = {.high = __builtin_bswap64(ds_read_word(destination)),
                      .low = __builtin_bswap64(ds_read_word(destination + 8)),
                      .layout = layout};
  // Routers forward neither ff00::/8 (multicast) nor fe80::/10 (link-local).
  if (walk.high >> 56 == 0xff || walk.high >> 54 == 0x3fa) return 1;
  walk.at = ds_read_word(net + layout->table6) + layout->table6_root;
  bpf_loop(IPV6_STEPS, node_step, &walk, 0);
  return walk.found;
}

u64 ds_is_local(u64 net, u64 header, const ds_route_layout* layout) {
  if (layout->route6_type == 0) return 1;
  u64 is_local = read_byte(header) >> 4 == 6 ? is_local_ipv6(net, header + IPV6_DESTINATION, layout)
                                             : is_local_ipv4(net, header + IPV4_DESTINATION, layout);
  return (u64)ds_as_unknown((i64)is_local, &is_local) & 1;
}
