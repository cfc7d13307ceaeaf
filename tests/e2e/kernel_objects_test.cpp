// Walks over the kernel's objects (iter:::), and the messages of watch and lsm when they cannot trace. The scripts
// providers/iter_*.d and providers/watch_*.d test their results.
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <sstream>

#include "e2e_support.h"
#include "support/fd.h"
#include "support/format.h"

namespace dscope::e2e {
namespace {

constexpr const char* any_port = "iter::tcp: /args[0]->skc_state == 10/ { printf(\"%d\\n\", args[0]->skc_num); }";

// Makes the socket listen. Returns its port, or 0 on failure.
uint16_t listen_somewhere(const Fd& socket) {
  sockaddr_in address{.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
  socklen_t size = sizeof address;
  auto* generic = reinterpret_cast<sockaddr*>(&address);
  if (::bind(socket.get(), generic, size) < 0 || ::listen(socket.get(), 1) < 0) return 0;
  return ::getsockname(socket.get(), generic, &size) == 0 ? ntohs(address.sin_port) : 0;
}

TEST(KernelObjects, ListeningSocketsAreWalked) {
  SKIP_UNLESS_TRACING();
  Fd socket{::socket(AF_INET, SOCK_STREAM, 0)};
  uint16_t port = listen_somewhere(socket);
  ASSERT_NE(port, 0);
  Outcome outcome = dscope({"-q", "-n", any_port});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_NE(("\n" + outcome.out).find(fmt::format("\n{}\n", port)), std::string::npos) << outcome.out;
}

// Every listed kind can be walked by a program that reads all members it may read.
TEST(KernelObjects, EveryListedKindIsWalked) {
  SKIP_UNLESS_TRACING();
  Outcome list = dscope({"-l", "-P", "iter"});
  std::istringstream lines(list.out);
  std::string line;
  std::getline(lines, line);  // the header
  int kinds = 0;
  for (; std::getline(lines, line); ++kinds) {
    std::string kind = line.substr(line.find_last_of(' ') + 1);
    Outcome outcome = dscope({"-q", "-n",
                              fmt::format("iter::{}: {{ self->n++; n++; @[pid, execname, stackdepth] = count(); "
                                          "@sum = sum(args[0] != NULL && arg0 != 0); stack(2); }}"
                                          "END {{ trunc(@, 0); trunc(@sum, 0); printf(\"end %d\", n >= 0); }}",
                                          kind)});
    EXPECT_EQ(outcome.status, 0) << kind << ": " << outcome.err;
    EXPECT_NE(outcome.out.find("end 1"), std::string::npos) << kind << ": " << outcome.err;
  }
  EXPECT_GT(kinds, 3) << list.out << list.err;
}

// The walk produces more records than the buffer holds at a time.
TEST(KernelObjects, ManyObjectsLoseNoRecords) {
  SKIP_UNLESS_TRACING();
  Outcome outcome = dscope({"-q", "-x", "bufsize=16k", "-n",
                            "iter::ksym: /n < 20000/ { n++; printf(\"%d %s\\n\", n, probefunc); }"
                            "END { printf(\"in all %d\\n\", n); }"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  size_t last = outcome.out.rfind("in all ");
  ASSERT_NE(last, std::string::npos);
  int lines = static_cast<int>(std::count(outcome.out.begin(), outcome.out.begin() + static_cast<long>(last), '\n'));
  EXPECT_GT(lines, 1000);
  EXPECT_EQ(outcome.out.substr(last), fmt::format("in all {}\n\n", lines));
}

// The error and its hint, as printed on a terminal.
std::string refusal(const std::string& probe, std::vector<std::string> more = {}) {
  std::vector<std::string> arguments{"-n", probe};
  arguments.insert(arguments.end(), more.begin(), more.end());
  Outcome outcome = dscope_on_terminal(arguments);
  EXPECT_EQ(outcome.status, 1) << probe;
  return left_on_screen(outcome.out);
}

TEST(KernelObjects, UnknownKindsAreRejected) {
  SKIP_UNLESS_TRACING();
  std::string text = refusal("iter::tasks:");
  EXPECT_NE(text.find("D_PDESC_ZERO"), std::string::npos) << text;
  EXPECT_NE(text.find("where KIND is one of "), std::string::npos) << text;
}

TEST(Watch, ErrorsNameTheMissingPart) {
  SKIP_UNLESS_TRACING();
  EXPECT_NE(refusal("watch:a.out:counter:w8").find("whose memory? use -p or -c"), std::string::npos);
  const std::vector<std::string> command{"-c", DSCOPE_TRIGGERS "/watched"};
  EXPECT_NE(refusal("watch:a.out:counter:r8", command).find("cannot watch reads alone: rw8 fires for both"),
            std::string::npos);
  EXPECT_NE(refusal("watch:a.out:no_such_thing:w8", command).find("has a symbol `no_such_thing`"), std::string::npos);
  EXPECT_NE(refusal("watch:a.out:counter:8", command).find("its probes are watch:OBJECT:SYMBOL:ACCESS"),
            std::string::npos);
  EXPECT_NE(refusal("watch:a.out:counter:w7", command).find("watches 1, 2, 4 or 8 bytes at a multiple of their number"),
            std::string::npos);
}

// A kernel without BPF security hooks still lists the probes, and the message names the reason.
TEST(SecurityHooks, AreListedAndTracedOrRejectedWithOneSentence) {
  SKIP_UNLESS_TRACING();
  EXPECT_NE(dscope({"-l", "-n", "lsm::file_open:entry"}).out.find("lsm"), std::string::npos);
  Outcome outcome = dscope({"-q", "-xerrtags", "-n", "lsm::file_open:entry { opened++; exit(0); }", "-c", "/bin/true"});
  if (outcome.status == 0) return;
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.err.find("[D_PDESC_ZERO]"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("this kernel "), std::string::npos) << outcome.err;
}

}  // namespace
}  // namespace dscope::e2e
