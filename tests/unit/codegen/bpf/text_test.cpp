// Functions that parse or format text, compiled for the host: cleanpath, strtok, network addresses, numbers in any
// base. Also ancestors of a process, packet headers, chill() and speculation ids.
#include <arpa/inet.h>

#include <array>

#include "contract/record_format.h"
#include "destination.h"
#include "model.h"

extern "C" unsigned long long fake_clock_ns;
unsigned long long fake_clock_ns = 0;

namespace dscope {
namespace {

std::string clean(const std::string& path, size_t max_length = 256) {
  Buffer source(capacity_for(path.size()), path), work = Buffer::garbage(source.capacity());
  Destination destination(max_length);
  ds_cleanpath(destination.buffer.data(), source.data(), destination.sizes(source), work.data());
  return destination.buffer.text();
}

TEST(SupportText, CleanpathMatchesReferenceTable) {
  const std::pair<const char*, const char*> rows[] = {{"", ""},
                                                      {"a", "a"},
                                                      {"/", "/"},
                                                      {".", "."},
                                                      {"/foo/bar/../../baz/.//", "/baz"},
                                                      {"/../../", "/"},
                                                      {"/.", "/"},
                                                      {"./", "."},
                                                      {"a/.", "a"},
                                                      {"./a", "a"},
                                                      {"a/..", "."},
                                                      {"a/../..", ".."},
                                                      {"../..", "../.."},
                                                      {"/a/../..", "/"},
                                                      {"z/a/b/../../././c///d/e", "z/c/d/e"},
                                                      {"//", "/"},
                                                      {"...", "..."},
                                                      {"a/.../..", "a"},
                                                      {"../a/../../b", "../../b"}};
  for (auto [path, expected] : rows) {
    EXPECT_EQ(model::cleanpath(path), expected) << path;
    EXPECT_EQ(clean(path), expected) << path;
  }
}

TEST(SupportText, CleanpathMatchesModel) {
  Random random(20);
  for (int i = 0; i < 20000; i++) {
    std::string path = random.string(random.chance(4) ? 300 : 20, random.chance(2) ? "/." : "/..ab");
    size_t max_length = random.chance(3) ? random.below(20) : 300;
    ASSERT_EQ(clean(path, max_length), model::cleanpath(path).substr(0, max_length)) << path;
  }
}

// All tokens of a text, as strtok(text, d), strtok(NULL, d) ... return them.
std::vector<std::string> tokens_of(const std::string& text, const std::string& delimiters, size_t max_length) {
  Buffer source(capacity_for(text.size()), text), set(capacity_for(delimiters.size()), delimiters);
  std::vector<std::string> tokens;
  int64_t at = 0;
  while (tokens.size() <= text.size()) {
    Destination destination(max_length);
    at = ds_strtok(destination.buffer.data(), source.data(), destination.sizes(source, set), set.data(),
                   static_cast<u64>(at));
    if (at < 0) break;
    tokens.push_back(destination.buffer.text());
  }
  return tokens;
}

TEST(SupportText, SplitsTokens) {
  using Texts = std::vector<std::string>;
  EXPECT_EQ(tokens_of(",,,a,,b", ",", 256), (Texts{"a", "b"}));
  EXPECT_EQ(tokens_of("", ",", 256), Texts{});
  EXPECT_EQ(tokens_of(",,", ",", 256), Texts{});
  EXPECT_EQ(tokens_of("whole rest", "", 256), Texts{"whole rest"});
  EXPECT_EQ(tokens_of("", "", 256), Texts{});
  EXPECT_EQ(tokens_of("a\xff"
                      "b\x80"
                      "c@d",
                      "\x80\xff@", 256),
            (Texts{"a", "b", "c", "d"}));
}

TEST(SupportText, TokensMatchModel) {
  Random random(21);
  for (int i = 0; i < 8000; i++) {
    std::string text = random.string(60, random.chance(2) ? "" : "ab, ;"), delimiters = random.string(4, ", ;\xff");
    size_t max_length = random.chance(4) ? random.below(10) : 80;
    std::vector<std::string> expected = model::tokens(text, delimiters);
    for (std::string& token : expected) token = token.substr(0, max_length);
    ASSERT_EQ(tokens_of(text, delimiters, max_length), expected) << text << " / " << delimiters;
  }
}

struct alignas(8) Address {
  std::array<unsigned char, 24> bytes{};
  const char* data() const { return reinterpret_cast<const char*>(bytes.data()); }
};

Address groups(std::array<unsigned, 8> words) {
  Address address;
  for (size_t i = 0; i < 8; i++) {
    address.bytes[2 * i] = static_cast<unsigned char>(words[i] >> 8);
    address.bytes[2 * i + 1] = static_cast<unsigned char>(words[i]);
  }
  return address;
}

std::string ipv6(const Address& address, u64 strict, size_t max_length = 256) {
  Destination destination(max_length);
  ds_inet_ntoa6(destination.buffer.data(), address.data(), destination.sizes(Buffer(0)), strict);
  return destination.buffer.text();
}

TEST(SupportText, Ipv6MatchesReferenceTable) {
  struct Row {
    std::array<unsigned, 8> words;
    const char *loose, *strict;
  };
  const Row rows[] = {
      {{0xfe80, 0, 0, 0, 0x214, 0x4fff, 0xfe0b, 0x76c8}, "fe80::214:4fff:fe0b:76c8", "fe80::214:4fff:fe0b:76c8"},
      {{0x1080, 0, 0, 0, 0, 0x808, 0xc, 0x417a}, "1080::808:c:417a", "1080::808:c:417a"},
      {{0, 0, 0, 0, 0, 0, 0, 1}, "::1", "::1"},
      {{0, 0, 0, 0, 0, 0, 0, 0}, "::", "::"},
      {{0, 0, 0, 0, 0, 0, 0, 2}, "0.0.0.2", "::0.0.0.2"},
      {{0, 0, 0, 0, 0, 0, 0x7f00, 1}, "127.0.0.1", "::127.0.0.1"},
      {{0, 0, 0, 0, 0, 0xffff, 0x7f00, 1}, "127.0.0.1", "::ffff:127.0.0.1"},
      {{0, 0, 0, 0, 0, 0xffff, 0, 0}, "0.0.0.0", "::ffff:0.0.0.0"},
      {{0, 0, 0, 0, 0, 0xfffe, 0x7f00, 1}, "::fffe:7f00:1", "::fffe:7f00:1"},
      {{0xfe12, 0x3456, 0x789a, 0xbcde, 0x214, 0, 0, 0}, "fe12:3456:789a:bcde:214::", "fe12:3456:789a:bcde:214::"},
      {{0xfe12, 0x3456, 0x789a, 0xbcde, 0x214, 0x4fff, 0xfe0b, 0},
       "fe12:3456:789a:bcde:214:4fff:fe0b:0",
       "fe12:3456:789a:bcde:214:4fff:fe0b:0"},
      {{1, 0, 0, 2, 0, 0, 3, 4}, "1::2:0:0:3:4", "1::2:0:0:3:4"},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(ipv6(groups(row.words), 0), row.loose);
    EXPECT_EQ(ipv6(groups(row.words), 1), row.strict);
  }
}

TEST(SupportText, AddressesMatchTheCLibrary) {
  Random random(22);
  for (int i = 0; i < 20000; i++) {
    Address address;
    std::array<unsigned, 8> words{};
    for (unsigned& word : words)
      word = random.chance(2) ? 0 : static_cast<unsigned>(random.below(65536) >> random.below(16));
    address = groups(words);
    size_t max_length = random.chance(4) ? random.below(40) : 64;
    char text[64];
    ASSERT_NE(inet_ntop(AF_INET, address.data(), text, sizeof text), nullptr);
    Destination destination(max_length);
    ds_inet_ntoa(destination.buffer.data(), address.data(), destination.sizes(Buffer(0)));
    ASSERT_EQ(destination.buffer.text(), std::string(text).substr(0, max_length));
    if (words[0] == 0) words[0] = 1;  // the C library prints only some embedded IPv4 forms
    address = groups(words);
    ASSERT_NE(inet_ntop(AF_INET6, address.data(), text, sizeof text), nullptr);
    ASSERT_EQ(ipv6(address, random.below(2), max_length), std::string(text).substr(0, max_length));
  }
}

TEST(SupportText, FormatsLinkAddresses) {
  Address address;
  for (size_t i = 0; i < 24; i++) address.bytes[i] = static_cast<unsigned char>(i * 17 + 9);
  std::string all = "09:1a:2b:3c:4d:5e:6f:80:91:a2:b3:c4:d5:e6:f7:08:19:2a:3b:4c";
  for (size_t max_length = 0; max_length < 70; max_length++) {
    for (u64 bytes : {6, 20}) {
      Destination destination(max_length);
      ds_link_ntop(destination.buffer.data(), address.data(), destination.sizes(Buffer(0)), bytes);
      ASSERT_EQ(destination.buffer.text(), destination.cut(all.substr(0, bytes * 3 - 1)));
    }
  }
}

TEST(SupportText, NumbersInAnyBaseMatchModel) {
  Random random(23);
  const int64_t edges[] = {0, 1, -1, 7, 8, 255, INT64_MIN, INT64_MAX};
  for (int i = 0; i < 8000; i++) {
    int64_t value = i < 8 * 35 ? edges[i % 8] : random.number();
    unsigned base = i < 8 * 35 ? static_cast<unsigned>(2 + i / 8) : static_cast<unsigned>(2 + random.below(35));
    Destination destination(random.chance(2) ? random.below(20) : 80);
    ds_lltostr_base(destination.buffer.data(), destination.sizes(Buffer(0)), value, base);
    ASSERT_EQ(destination.buffer.text(), destination.cut(model::lltostr(value, base))) << value << " " << base;
  }
  EXPECT_EQ(model::lltostr(255, 16), "0xff");
  EXPECT_EQ(model::lltostr(-1, 8), "01777777777777777777777");
  EXPECT_EQ(model::lltostr(-12, 10), "-12");
}

struct Task {
  unsigned before = 0, tgid = 0;
  const Task* real_parent = nullptr;
};

TEST(SupportText, FindsAncestors) {
  std::vector<Task> tasks(300);
  for (size_t i = 0; i < tasks.size(); i++) {
    tasks[i].tgid = static_cast<unsigned>(1000 + i);
    tasks[i].real_parent = i == 0 ? &tasks[0] : &tasks[i - 1];
  }
  u64 offsets = u64{offsetof(Task, tgid)} << 32 | offsetof(Task, real_parent);
  auto is_progeny = [&](size_t of, u64 pid) { return ds_progenyof(reinterpret_cast<u64>(&tasks[of]), offsets, pid); };
  EXPECT_EQ(is_progeny(5, 1005), 1u);
  EXPECT_EQ(is_progeny(5, 1000), 1u);
  EXPECT_EQ(is_progeny(5, 1006), 0u);
  EXPECT_EQ(is_progeny(5, 0), 0u);
  EXPECT_EQ(is_progeny(255, 1000), 1u);
  EXPECT_EQ(is_progeny(256, 1000), 0u) << "beyond the depth of the search";
}

struct TreeNode {
  u64 color = 0;
  TreeNode *parent = nullptr, *left = nullptr, *right = nullptr;
};

// A tree of numbers from `first` up to `end`, as high as possible or as low as possible.
TreeNode* make_tree(std::vector<TreeNode>& nodes, size_t first, size_t end, TreeNode* parent, bool is_chain) {
  if (first == end) return nullptr;
  size_t root = is_chain ? first : first + (end - first) / 2;
  nodes[root].parent = parent;
  nodes[root].left = make_tree(nodes, first, root, &nodes[root], is_chain);
  nodes[root].right = make_tree(nodes, root + 1, end, &nodes[root], is_chain);
  return &nodes[root];
}

TEST(SupportText, WalksSortedTrees) {
  constexpr u64 links = offsetof(TreeNode, left) | offsetof(TreeNode, right) << 8 | offsetof(TreeNode, parent) << 16;
  for (bool is_chain : {false, true}) {
    for (size_t count : {1U, 2U, 7U, 100U}) {
      std::vector<TreeNode> nodes(count);
      TreeNode end;
      end.left = make_tree(nodes, 0, count, &end, is_chain);
      for (size_t i = 0; i + 1 < count; ++i)
        EXPECT_EQ(ds_tree_next(reinterpret_cast<u64>(&nodes[i]), links), reinterpret_cast<u64>(&nodes[i + 1])) << i;
    }
  }
  EXPECT_EQ(ds_tree_next(8, links), 0U) << "memory that cannot be read";
}

u64 number_of(const void* pointer) { return reinterpret_cast<u64>(pointer); }

TEST(SupportText, ConfirmsReturnAddresses) {
  auto caller = [](std::string_view code, size_t position = 8, u64 frame = 0) {
    std::string bytes = std::string(8 - position, '\0') + std::string{code} + std::string(16, '\0');
    u64 address = number_of(bytes.data()) + 8;
    u64 found = ds_confirmed_caller(address, 1000 + frame, 1000);
    EXPECT_TRUE(found == 0 || found == address);
    return found != 0;
  };
  using namespace std::string_view_literals;
  EXPECT_TRUE(caller("\xe8\x01\x02\x03\x04", 5)) << "direct";
  EXPECT_TRUE(caller("\xff\xd0", 2)) << "a register";
  EXPECT_TRUE(caller("\x41\xff\xd7", 3)) << "a register beyond the eighth";
  EXPECT_TRUE(caller("\xff\x53\x18", 3)) << "8 bits of offset";
  EXPECT_TRUE(caller("\xff\x54\x24\x08", 4)) << "the stack";
  EXPECT_TRUE(caller("\xff\x15\x00\x01\x02\x03"sv, 6)) << "an import";
  EXPECT_TRUE(caller("\xff\x94\xc1\x00\x01\x02\x03"sv, 7)) << "a table";
  EXPECT_TRUE(caller("\x48\xc7\xc0\x0f\x00\x00\x00\x0f\x05"sv, 0)) << "a signal handler";
  EXPECT_FALSE(caller("\xff\xe0", 2)) << "a jump";
  EXPECT_FALSE(caller("\xe9\x01\x02\x03\x04", 5)) << "a jump";
  EXPECT_FALSE(caller("\xe8\x01\x02\x03", 4)) << "the middle of a call";
  EXPECT_TRUE(caller("\xff\xd0", 2, 8u << 20));
  EXPECT_FALSE(caller("\xff\xd0", 2, (8u << 20) + 1)) << "the frame is not on the stack";
  EXPECT_FALSE(caller("\xff\xd0", 2, ~u64{0})) << "the frame is below the stack";
  EXPECT_EQ(ds_confirmed_caller(0, 1000, 1000), 0u);
  EXPECT_EQ(ds_confirmed_caller(20000, 1000, 1000), 0u) << "unreadable";
}

u64 payload_of(const std::vector<unsigned char>& packet) { return ds_ip_payload(reinterpret_cast<u64>(packet.data())); }

std::vector<unsigned char> ipv4_packet(unsigned char words, unsigned char protocol, unsigned fragment) {
  std::vector<unsigned char> packet(60);
  packet[0] = static_cast<unsigned char>(0x40 | words);
  packet[6] = static_cast<unsigned char>(fragment >> 8);
  packet[7] = static_cast<unsigned char>(fragment);
  packet[9] = protocol;
  return packet;
}

TEST(SupportPacket, FindsPayloadOfIpv4) {
  constexpr unsigned more = 0x2000, dont = 0x4000;
  EXPECT_EQ(payload_of(ipv4_packet(5, 6, 0)), 20u << 8 | 6);
  EXPECT_EQ(payload_of(ipv4_packet(5, 6, dont)), 20u << 8 | 6);
  EXPECT_EQ(payload_of(ipv4_packet(15, 17, 0)), 60u << 8 | 17) << "options";
  EXPECT_EQ(payload_of(ipv4_packet(5, 17, more)), 20u << 8 | 17) << "the first fragment";
  EXPECT_EQ(payload_of(ipv4_packet(5, 17, more | 1)), 20u << 8) << "another fragment";
  EXPECT_EQ(payload_of(ipv4_packet(5, 17, 0x1fff)), 20u << 8) << "the last fragment";
}

// After the IPv6 header, each extension header consists of its number and its size in 8-byte units minus one.
std::vector<unsigned char> ipv6_packet(const std::vector<std::pair<unsigned char, unsigned char>>& extensions,
                                       unsigned char protocol) {
  std::vector<unsigned char> packet(40);
  packet[0] = 0x60;
  size_t next = 6;
  for (auto [kind, size] : extensions) {
    packet[next] = kind;
    next = packet.size();
    packet.resize(next + (kind == 44 ? 1u : size + 1u) * 8);
    packet[next + 1] = kind == 44 ? 0 : size;
  }
  packet[next] = protocol;
  packet.resize(packet.size() + 8);
  return packet;
}

TEST(SupportPacket, FindsPayloadOfIpv6) {
  EXPECT_EQ(payload_of(ipv6_packet({}, 6)), 40u << 8 | 6);
  EXPECT_EQ(payload_of(ipv6_packet({{60, 0}}, 17)), 48u << 8 | 17);
  EXPECT_EQ(payload_of(ipv6_packet({{0, 2}, {43, 0}, {60, 1}}, 6)), 88u << 8 | 6);
  EXPECT_EQ(payload_of(ipv6_packet({{60, 0}, {60, 0}, {60, 0}, {60, 0}, {60, 0}}, 6)) & 0xff, 60u) << "too many";
  EXPECT_EQ(payload_of(ipv6_packet({{50, 0}}, 6)), 40u << 8 | 50) << "not an extension";
  std::vector<unsigned char> fragment = ipv6_packet({{60, 0}, {44, 0}}, 17);
  EXPECT_EQ(payload_of(fragment), 56u << 8 | 17);
  fragment[48 + 3] = 1;
  EXPECT_EQ(payload_of(fragment), 56u << 8 | 17) << "more follow";
  fragment[48 + 3] = 8;
  EXPECT_EQ(payload_of(fragment), 56u << 8) << "not the first";
}

TEST(SupportTime, ChillWaitsWithinItsBudget) {
  constexpr u64 ms = 1000000;
  ds_chill budget{};
  fake_clock_ns = 7000 * ms;
  EXPECT_EQ(ds_wait(&budget, 100 * ms), 0u);
  EXPECT_GE(fake_clock_ns, 7100 * ms);
  EXPECT_LT(fake_clock_ns, 7110 * ms);
  EXPECT_EQ(ds_wait(&budget, 400 * ms), 0u);
  u64 before = fake_clock_ns;
  EXPECT_EQ(ds_wait(&budget, 1), 1u) << "half of each second";
  EXPECT_LE(fake_clock_ns, before + ms);
  fake_clock_ns = 8100 * ms;
  EXPECT_EQ(ds_wait(&budget, 500 * ms), 0u);
  fake_clock_ns = 9900 * ms;
  EXPECT_EQ(ds_wait(&budget, 500 * ms + 1), 1u);
  EXPECT_EQ(ds_wait(&budget, ~u64{0}), 1u) << "negative";
  EXPECT_EQ(ds_wait(&budget, 0), 0u);
}

TEST(SupportSpeculation, TakesTheLowestFreeId) {
  ds_speculation table[3] = {};
  EXPECT_EQ(ds_allocate_speculation(table, 3), 1);
  EXPECT_EQ(ds_allocate_speculation(table, 3), 2);
  EXPECT_EQ(ds_allocate_speculation(table, 3), 3);
  EXPECT_EQ(ds_allocate_speculation(table, 3), 0);
  table[1].bytes = 100;
  table[1].state = DS_SPECULATION_COMMITTED;
  EXPECT_EQ(ds_allocate_speculation(table, 3), DS_SPECULATIONS_BUSY);
  table[1].state = DS_SPECULATION_FREE;
  EXPECT_EQ(ds_allocate_speculation(table, 3), 2);
  EXPECT_EQ(table[1].state, u64{DS_SPECULATION_ACTIVE});
  EXPECT_EQ(table[1].generation, 2u);
  EXPECT_EQ(table[1].bytes, 0u);
  table[2].state = DS_SPECULATION_FREE;
  EXPECT_EQ(ds_allocate_speculation(table, 2), 0) << "beyond the count";
  EXPECT_EQ(ds_allocate_speculation(table, 0), 0);
}

}  // namespace
}  // namespace dscope
