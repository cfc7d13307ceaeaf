// Reads every member of the D library's structures, as the virtual machines of tests/vm do too: print() shows whole
// structures, and an unreadable member faults.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>

#include "e2e_support.h"
#include "support/format.h"

namespace dscope::e2e {
namespace {

using Names = std::set<std::string>;

// The names of the printed structures, from lines such as `.pr_lwp = (lwpsinfo_t) {`.
Names structures(const std::string& text) {
  Names found;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (size_t open = line.find('('); line.ends_with(") {") && open != std::string::npos)
      found.insert(line.substr(open + 1, line.size() - open - 4));
  return found;
}

Outcome members(const std::string& script, const std::string& command) {
  std::string vm = DSCOPE_SOURCE_DIR "/tests/vm/";
  return dscope({"-qs", vm + script, "-c", command}, {fmt::format("PATH={}:{}", DSCOPE_TRIGGERS, std::getenv("PATH"))});
}

TEST(LibraryMembers, ThreadsAndProcessesAreReadable) {
  SKIP_UNLESS_TRACING();
  Outcome outcome = members("members_process.d", "sh " DSCOPE_SOURCE_DIR "/tests/vm/forks");
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(structures(outcome.out),
            (Names{"cpuinfo_t", "fileinfo_t", "lwpsinfo_t", "processor_info_t", "psinfo_t", "timestruc_t"}));
}

TEST(LibraryMembers, PacketsAndSocketsAreReadable) {
  SKIP_UNLESS_TRACING();
  Outcome outcome = members("members_net.d", "sh " DSCOPE_SOURCE_DIR "/tests/vm/exchanges");
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(structures(outcome.out), (Names{"csinfo_t", "ifinfo_t", "ipinfo_t", "ipv4info_t", "ipv6info_t", "pktinfo_t",
                                            "tcpinfo_t", "tcplsinfo_t", "tcpsinfo_t", "udpinfo_t", "udpsinfo_t"}));
  // Both ends see the connection: the client's local address is the server's remote address.
  EXPECT_NE(outcome.out.find(".tcps_laddr = (string)\"127.77.7.8\""), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find(".tcps_raddr = (string)\"127.77.7.8\""), std::string::npos) << outcome.out;
}

TEST(LibraryMembers, BlockDevicesAreReadable) {
  SKIP_UNLESS_TRACING();
  std::string path = DSCOPE_TRIGGERS "/library_members.data";
  std::ofstream(path) << std::string(65536, 'x');
  Outcome outcome =
      dscope({"-x", "printform=classic", "-qn",
              "io:::start /pid == $target && !started++/"
              "{ print(*args[0]); print(*args[1]); print(*args[2]); mine = arg0; }"
              "io:::done /arg0 == mine && !ended++/ { print(*args[0]); print(*args[1]); print(*args[2]); }",
              "-c", DSCOPE_TRIGGERS "/tasks direct " + path});
  std::remove(path.c_str());
  if (outcome.out.find('(') == std::string::npos) GTEST_SKIP() << path << " is on no block device";
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(structures(outcome.out), (Names{"bufinfo_t", "devinfo_t", "fileinfo_t"}));
}

}  // namespace
}  // namespace dscope::e2e
