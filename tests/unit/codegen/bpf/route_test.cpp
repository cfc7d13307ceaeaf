// Decides whether addresses are local, by the routing tables of a fake kernel.
#include <array>
#include <string_view>

#include <arpa/inet.h>
#include <gtest/gtest.h>

#include "codegen/bpf/support.h"

namespace dscope {
namespace {

enum RouteType { Unicast = 1, Local = 2, Broadcast = 3, Anycast = 4, Unreachable = 7 };

struct FakeRoute {
  const FakeRoute* next = nullptr;
  unsigned char open = 0, type = 0;
};
struct FakeVector {
  u32 key = 0;
  unsigned char position = 0, bits = 0;
  std::array<const void*, 4> below = {};
};
struct FakeTable {
  const void* next = nullptr;
  u32 number = 255;
  const FakeVector* trie = nullptr;
};
struct FakeRoute6 {
  unsigned char address[16] = {};
  u32 length = 0;
  unsigned char type = 0;
};
struct FakeNode {
  const FakeNode *left = nullptr, *right = nullptr;
  const FakeRoute6* route = nullptr;
  unsigned short bit = 0, flags = 0;
};
struct FakeTable6 {
  u64 something = 0;
  FakeNode root;
};
struct FakeNet {
  const FakeTable** tables = nullptr;
  const FakeTable6* table6 = nullptr;
};

constexpr ds_route_layout layout = {.tables = offsetof(FakeNet, tables),
                                    .local_tables = 8,
                                    .table_list = offsetof(FakeTable, next),
                                    .table_number = offsetof(FakeTable, number),
                                    .table_trie = offsetof(FakeTable, trie),
                                    .trie_root = 0,
                                    .vector_key = offsetof(FakeVector, key),
                                    .vector_position = offsetof(FakeVector, position),
                                    .vector_bits = offsetof(FakeVector, bits),
                                    .vector_children = offsetof(FakeVector, below),
                                    .route_list = offsetof(FakeRoute, next),
                                    .route_type = offsetof(FakeRoute, type),
                                    .route_suffix_length = offsetof(FakeRoute, open),
                                    .table6 = offsetof(FakeNet, table6),
                                    .table6_root = offsetof(FakeTable6, root),
                                    .node_left = offsetof(FakeNode, left),
                                    .node_right = offsetof(FakeNode, right),
                                    .node_route = offsetof(FakeNode, route),
                                    .node_bit = offsetof(FakeNode, bit),
                                    .node_flags = offsetof(FakeNode, flags),
                                    .route6_address = offsetof(FakeRoute6, address),
                                    .route6_length = offsetof(FakeRoute6, length),
                                    .route6_type = offsetof(FakeRoute6, type)};

u64 number(const void* pointer) { return reinterpret_cast<u64>(pointer); }

u64 is_local(const FakeNet& net, const char* address, const ds_route_layout& of = layout) {
  bool is_v6 = std::string_view(address).find(':') != std::string_view::npos;
  unsigned char header[40] = {static_cast<unsigned char>(is_v6 ? 0x60 : 0x45)};
  EXPECT_EQ(inet_pton(is_v6 ? AF_INET6 : AF_INET, address, header + (is_v6 ? 24 : 16)), 1);
  return ds_is_local(number(&net), number(header), &of);
}

u32 key(const char* address) {
  in_addr parsed = {};
  EXPECT_EQ(inet_pton(AF_INET, address, &parsed), 1);
  return ntohl(parsed.s_addr);
}

// Network 10.0.0.0/24 on a device with address 10.0.0.1. A separate route leads 10.0.0.2 to another host.
class Routes : public ::testing::Test {
 protected:
  FakeRoute network{.open = 8, .type = Unicast}, wide_local{.open = 8, .type = Local};
  FakeRoute own{.next = &network, .open = 0, .type = Local}, other{.open = 0, .type = Unicast};
  FakeRoute all{.open = 0, .type = Broadcast};
  FakeVector at_0{.key = key("10.0.0.0"), .below = {&wide_local}};
  FakeVector at_1{.key = key("10.0.0.1"), .below = {&own}};
  FakeVector at_2{.key = key("10.0.0.2"), .below = {&other}};
  FakeVector at_255{.key = key("10.0.0.255"), .below = {&all}};
  FakeVector low{.key = key("10.0.0.0"), .position = 0, .bits = 2, .below = {&at_0, &at_1, &at_2, nullptr}};
  FakeVector top{.key = key("10.0.0.0"), .position = 7, .bits = 1, .below = {&low, &at_255}};
  FakeVector root{.position = 32, .below = {&top}};
  FakeTable local{.trie = &root};
  FakeTable same_hash{.next = &local, .number = 511, .trie = nullptr};
  const FakeTable* tables[2] = {nullptr, &same_hash};

  FakeRoute6 nowhere{.type = Unreachable};
  FakeRoute6 own6{.address = {0xfd, 0x77, 0, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}, .length = 128, .type = Local};
  FakeRoute6 many6{.address = {0xfd, 0x77, 0, 10}, .length = 64, .type = Local};
  FakeRoute6 not_many6{
      .address = {0xfd, 0x77, 0, 10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7}, .length = 128, .type = Unicast};
  FakeNode own_node{.route = &own6, .bit = 128, .flags = 4};
  FakeNode not_many_node{.route = &not_many6, .bit = 128, .flags = 4};
  FakeNode many_node{.left = &not_many_node, .route = &many6, .bit = 64, .flags = 4};
  // The first bit in which fd77:9 and fd77:a differ is bit 30.
  FakeNode fork_node{.left = &own_node, .right = &many_node, .route = &own6, .bit = 30};
  FakeTable6 table6{.root = {.right = &fork_node, .route = &nowhere, .bit = 0, .flags = 7}};
  FakeNet net{.tables = tables, .table6 = &table6};
};

TEST_F(Routes, FindIpv4Addresses) {
  EXPECT_EQ(is_local(net, "10.0.0.1"), 1u);
  EXPECT_EQ(is_local(net, "10.0.0.255"), 1u) << "broadcast";
  EXPECT_EQ(is_local(net, "10.0.0.2"), 0u) << "a route to another host";
  EXPECT_EQ(is_local(net, "10.0.0.0"), 0u) << "a whole network";
  EXPECT_EQ(is_local(net, "10.0.0.3"), 0u) << "no route";
  EXPECT_EQ(is_local(net, "10.0.0.129"), 0u) << "the leaf has a different key";
  EXPECT_EQ(is_local(net, "10.0.0.5"), 0u) << "differs in bits that the trie skips";
  EXPECT_EQ(is_local(net, "11.0.0.1"), 0u);
}

TEST_F(Routes, HandleMissingTables) {
  same_hash.next = nullptr;
  EXPECT_EQ(is_local(net, "10.0.0.1"), 0u);
  tables[1] = nullptr;
  EXPECT_EQ(is_local(net, "10.0.0.1"), 0u);
  EXPECT_EQ(is_local(net, "fd77:9::1"), 1u);
}

TEST_F(Routes, FindMostSpecificIpv6Route) {
  EXPECT_EQ(is_local(net, "fd77:9::1"), 1u);
  EXPECT_EQ(is_local(net, "fd77:9::2"), 0u);
  EXPECT_EQ(is_local(net, "fd77:9:0:1::1"), 0u);
  EXPECT_EQ(is_local(net, "fd77:a::1"), 1u) << "within a local network";
  EXPECT_EQ(is_local(net, "fd77:a::7"), 0u) << "except for one address";
  EXPECT_EQ(is_local(net, "fd77:a:0:1::1"), 0u);
  EXPECT_EQ(is_local(net, "::1"), 0u);
  own6.type = Anycast;
  EXPECT_EQ(is_local(net, "fd77:9::1"), 1u);
}

TEST_F(Routes, TreatLinkLocalAndMulticastAsLocal) {
  EXPECT_EQ(is_local(net, "ff02::1"), 1u);
  EXPECT_EQ(is_local(net, "fe80::1234"), 1u);
  EXPECT_EQ(is_local(net, "fec0::1234"), 0u);
}

TEST_F(Routes, HandleUnknownLayouts) { EXPECT_EQ(is_local(net, "11.0.0.1", {}), 1u); }

}  // namespace
}  // namespace dscope
