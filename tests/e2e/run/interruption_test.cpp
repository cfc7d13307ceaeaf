// Signals that end dscope while it does something other than waiting for records.
#include <gtest/gtest.h>
#include <sys/inotify.h>
#include <sys/stat.h>

#include <filesystem>

#include "tests/e2e/e2e_support.h"
#include "tests/e2e/piped.h"

namespace dscope::e2e {
namespace {

int status_of(pid_t pid) {
  int status = -1;
  EXPECT_TRUE(comes_true([&] { return ::waitpid(pid, &status, WNOHANG) == pid; })) << "it still runs";
  return status;
}

// A file whose end nobody waits for. dscope is stopped as soon as it opens the file, so that both signals arrive while
// it reads.
TEST(Interruption, TheSecondSignalEndsTheReadingOfAFile) {
  SKIP_UNLESS_TRACING();
  Piped target({DSCOPE_TRIGGERS "/jits"});
  std::string map = "/tmp/perf-" + std::to_string(target.pid()) + ".map";
  ASSERT_TRUE(comes_true([&] { return content_of(map).ends_with('\n'); }));
  ASSERT_EQ(::truncate(map.c_str(), off_t{8} << 30), 0);
  int notices = ::inotify_init1(IN_CLOEXEC);
  ASSERT_GE(::inotify_add_watch(notices, map.c_str(), IN_ACCESS), 0);
  // Without the second signal, the reading ends with a message after 1 GiB.
  Piped tracer({DSCOPE_PROGRAM, "-q", "-xforeignbytes=3g", "-xforeigntime=300s", "-p", std::to_string(target.pid()),
                "-n", "pid$target:libc:getppid:entry /!n++/ { ustack(2); }"});
  pollfd item{.fd = notices, .events = POLLIN, .revents = 0};
  ASSERT_EQ(::poll(&item, 1, 30'000), 1) << "the perf map is not read";
  tracer.signal(SIGSTOP);
  tracer.signal(SIGINT);
  tracer.signal(SIGTERM);
  tracer.signal(SIGCONT);
  std::string output;
  for (std::string line; line = tracer.read_line(), !line.empty();) output += line;
  EXPECT_EQ(status_of(tracer.pid()), 0);
  EXPECT_NE(output.find("\n              0x"), std::string::npos) << output;
  EXPECT_EQ(output.find("exceeds"), std::string::npos) << output;
  ::close(notices);
  std::filesystem::remove(map);
}

class FifoTest : public testing::Test {
 protected:
  FifoTest() {
    std::filesystem::remove(path);
    EXPECT_EQ(::mkfifo(path.c_str(), 0600), 0);
  }
  ~FifoTest() override { std::filesystem::remove(path); }

  const std::string path = testing::TempDir() + "dscope_fifo_" + std::to_string(getpid());
};

// As with `dscope -s <(command)`.
TEST_F(FifoTest, AScriptIsReadFromAFifoUntilItsEnd) {
  SKIP_UNLESS_TRACING();
  for (int i = 0; i < 2; ++i) {  // the second run could use kept code
    Piped tracer({DSCOPE_PROGRAM, "-q", "-s", path});
    std::ofstream script(path);
    script << "BEGIN { printf(\"from a FIFO\\n\"); " << std::flush << "exit(0); }";
    script.close();
    EXPECT_EQ(tracer.read_line(), "from a FIFO\n");
    EXPECT_EQ(status_of(tracer.pid()), 0);
  }
}

TEST_F(FifoTest, ASignalEndsTheWaitForAWriter) {
  Piped tracer({DSCOPE_PROGRAM, "-q", "-s", path});
  std::string stack = "/proc/" + std::to_string(tracer.pid()) + "/stack";
  if (::access(stack.c_str(), R_OK) != 0 || ::geteuid() != 0) GTEST_SKIP() << "needs root";
  ASSERT_TRUE(comes_true([&] { return content_of(stack).find("fifo_open") != std::string::npos; }));
  tracer.signal(SIGINT);
  int status = status_of(tracer.pid());
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT) << status;
}

TEST_F(FifoTest, ASignalEndsTheWaitForTheEndOfAScript) {
  Piped tracer({DSCOPE_PROGRAM, "-q", "-s", path});
  std::ofstream script(path);  // waits for the reader
  script << "BEGIN" << std::flush;
  tracer.signal(SIGINT);
  int status = status_of(tracer.pid());
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT) << status;
}

}  // namespace
}  // namespace dscope::e2e
