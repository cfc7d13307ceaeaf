// The perf events of tracepoints are attached but stay disabled: enabling one interrupts its CPU. The programs run all
// the same.
#include <gtest/gtest.h>
#include <sys/syscall.h>

#include <filesystem>

#include "tests/e2e/e2e_support.h"
#include "tests/e2e/piped.h"

namespace dscope::e2e {
namespace {

// The counts of the perf events that a process has open.
std::vector<uint64_t> event_counts(pid_t pid) {
  std::vector<uint64_t> counts;
  int process = static_cast<int>(::syscall(SYS_pidfd_open, pid, 0));
  for (const auto& entry : std::filesystem::directory_iterator("/proc/" + std::to_string(pid) + "/fd")) {
    std::error_code gone;
    if (std::filesystem::read_symlink(entry.path(), gone) != "anon_inode:[perf_event]") continue;
    int event = static_cast<int>(::syscall(SYS_pidfd_getfd, process, std::stoi(entry.path().filename()), 0));
    uint64_t count = 0;
    EXPECT_EQ(::read(event, &count, sizeof count), static_cast<ssize_t>(sizeof count));
    counts.push_back(count);
    ::close(event);
  }
  ::close(process);
  return counts;
}

TEST(TracepointEvents, StayDisabledWhileTheirProgramsRun) {
  SKIP_UNLESS_TRACING();
  Piped tracer({DSCOPE_PROGRAM, "-q", "-xcpu=0", "-xswitchrate=1ms", "-n",
                "BEGIN { printf(\"up\\n\"); } sdt:signal::signal_* "
                "/execname == \"tasks\" && arg0 == SIGUSR1/ { printf(\"%s\\n\", probename); }"});
  ASSERT_EQ(tracer.read_line(), "up\n");
  EXPECT_EQ(run({"taskset", "-c", "0", DSCOPE_TRIGGERS "/tasks", "signal", "1"}).status, 0);
  EXPECT_EQ(tracer.read_line(), "signal_generate\n");
  EXPECT_EQ(tracer.read_line(), "signal_deliver\n");
  EXPECT_EQ(event_counts(tracer.pid()), (std::vector<uint64_t>{0, 0}));
}

}  // namespace
}  // namespace dscope::e2e
