// The built-in D libraries: all load together, and their constants equal those of the C headers.
#include <gtest/gtest.h>

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>

#include <map>
#include <utility>

#include "catalog/number_names.h"
#include "tests/unit/codegen/compiled_text.h"

namespace dscope {
namespace {

// The constants of all libraries, as a program reads them.
const std::map<std::string, int64_t>& constants() {
  static const std::map<std::string, int64_t> all = [] {
    FakeHost host;
    Compilation compilation;
    CommandLine line{.program_name = "dscope", .invoked_as = "dscope"};
    line.programs.push_back({.letter = 'n', .text = "BEGIN"});
    // Names one word of each file, because libraries that no program needs are not read.
    line.operands = {"EPERM",      "SIGHUP", "O_RDONLY",  "AF_INET",           "IPPROTO_TCP", "TH_SYN",
                     "in6_addr_t", "SSLEEP", "RW_READER", "DTRACEFLT_BADADDR", "R_PC",        "PCAP_ETHER"};
    OptionValues options;
    EXPECT_TRUE(options.set("argref", "", false, OptionOrigin::CommandLine).has_value());
    auto done = compile(compilation, line, options, host, 0);
    EXPECT_TRUE(done.has_value()) << done.error().message();
    EXPECT_FALSE(compilation.diagnostics.has_errors()) << render(compilation.diagnostics, "dscope", true);
    std::map<std::string, int64_t> found;
    for (const Inline& definition : compilation.meaning.inlines)
      if (definition.constant) found[definition.name] = static_cast<int64_t>(*definition.constant);
    return found;
  }();
  return all;
}

int64_t value(const std::string& name) {
  auto found = constants().find(name);
  EXPECT_NE(found, constants().end()) << name;
  return found == constants().end() ? -1 : found->second;
}

// "O_CREAT", O_CREAT
#define PAIR(name) {#name, name}

// The names that %s prints are those of the D library.
TEST(Library, NumberNamesMatchTheLibrary) {
  for (NumberGroup group : {NumberGroup::Error, NumberGroup::Signal, NumberGroup::OpenFlags})
    for (const NumberName& each : names_of(group)) EXPECT_EQ(value(std::string(each.name)), each.value) << each.name;
}

TEST(Library, ErrorNumbersMatchCHeaders) {
  for (int number = 1; number <= 133; ++number) {
    const char* name = strerrorname_np(number);
    if (name == nullptr) continue;
    EXPECT_EQ(value(name), number) << name;
  }
  EXPECT_EQ(value("EWOULDBLOCK"), EWOULDBLOCK);
}

TEST(Library, SignalsMatchCHeaders) {
  for (int number = 1; number < 32; ++number) {
    const char* name = sigabbrev_np(number);
    if (name == nullptr) continue;
    EXPECT_EQ(value(std::string("SIG") + name), number);
  }
  EXPECT_EQ(value("CLD_DUMPED"), CLD_DUMPED);
}

TEST(Library, OpenFlagsMatchCHeaders) {
  // O_LARGEFILE is 0 in 64-bit programs, but not in the kernel.
  const std::pair<const char*, int> flags[] = {
      PAIR(O_ACCMODE), PAIR(O_RDONLY), PAIR(O_WRONLY),  PAIR(O_RDWR),      PAIR(O_CREAT),    PAIR(O_EXCL),
      PAIR(O_NOCTTY),  PAIR(O_TRUNC),  PAIR(O_APPEND),  PAIR(O_NONBLOCK),  PAIR(O_NDELAY),   PAIR(O_DSYNC),
      PAIR(O_ASYNC),   PAIR(O_DIRECT), PAIR(O_NOATIME), PAIR(O_DIRECTORY), PAIR(O_NOFOLLOW), PAIR(O_CLOEXEC),
      PAIR(O_SYNC),    PAIR(O_FSYNC),  PAIR(O_RSYNC),   PAIR(O_PATH),      PAIR(O_TMPFILE)};
  for (auto [name, number] : flags) EXPECT_EQ(value(name), number) << name;
}

TEST(Library, NetworkConstantsMatchCHeaders) {
  const std::pair<const char*, int> numbers[] = {PAIR(AF_UNIX),
                                                 PAIR(AF_INET),
                                                 PAIR(AF_INET6),
                                                 PAIR(IPPROTO_ICMP),
                                                 PAIR(IPPROTO_TCP),
                                                 PAIR(IPPROTO_UDP),
                                                 PAIR(IPPROTO_IPV6),
                                                 PAIR(IPPROTO_ICMPV6),
                                                 PAIR(IPPROTO_SCTP),
                                                 PAIR(IPPROTO_UDPLITE),
                                                 PAIR(IPPROTO_RAW),
                                                 PAIR(IPPROTO_MPTCP),
                                                 {"TCP_STATE_TIME_WAIT", TCP_TIME_WAIT},
                                                 {"TCPS_LISTEN", TCP_LISTEN}};
  for (auto [name, number] : numbers) EXPECT_EQ(value(name), number) << name;
}

}  // namespace
}  // namespace dscope
