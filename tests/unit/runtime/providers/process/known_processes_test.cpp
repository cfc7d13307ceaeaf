// Processes that end while their descriptions are still examined.
#include "runtime/providers/process/known_processes.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

namespace dscope::test {
namespace {

TEST(KnownProcesses, KeepWhatWasFoundBeforeAnExit) {
  pid_t child = ::fork();
  if (child == 0) {
    ::pause();
    ::_exit(0);
  }
  KnownProcesses processes;
  auto pid = static_cast<uint32_t>(child);
  ProcessFunctions* before = processes.open(pid);
  ASSERT_NE(before, nullptr);
  size_t objects = before->size();
  EXPECT_GT(objects, 0U);
  ::kill(child, SIGKILL);
  ASSERT_EQ(::waitpid(child, nullptr, 0), child);
  processes.refresh(pid, pid);
  ProcessFunctions* after = processes.open(pid);
  ASSERT_NE(after, nullptr);
  EXPECT_EQ(after->size(), objects);
  // A process that was never found stays unknown.
  KnownProcesses others;
  others.refresh(pid, pid);
  EXPECT_EQ(others.open(pid), nullptr);
}

}  // namespace
}  // namespace dscope::test
