#include "driver/confine/syscall_filter.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <functional>
#include <utility>

#include "support/fd.h"

namespace dscope {
namespace {

// Whether `body` succeeds in a child process, where a filter cannot confine the other tests.
bool succeeds_in_child(const std::function<bool()>& body) {
  pid_t child = ::fork();
  if (child == 0) {
    ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    ::_exit(body() ? 0 : 1);
  }
  int status = -1;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

bool is_refused(long result) { return result == -1 && errno == EPERM; }

TEST(SyscallFilter, RefusedCallsFailWithEperm) {
  EXPECT_TRUE(succeeds_in_child([] {
    SyscallFilter filter;
    filter.refuse(SYS_getppid);
    return std::move(filter).permit_other_calls("test") && is_refused(::syscall(SYS_getppid)) && ::getpid() > 0;
  }));
}

TEST(SyscallFilter, RefusesCallsThatNobodyPermitted) {
  EXPECT_TRUE(succeeds_in_child([] {
    SyscallFilter filter;
    filter.permit(SYS_getpid);
    filter.permit(SYS_exit_group);
    return std::move(filter).refuse_other_calls("test") && ::getpid() > 0 && is_refused(::syscall(SYS_getppid));
  }));
}

TEST(SyscallFilter, FilesOpenForReadingOnly) {
  EXPECT_TRUE(succeeds_in_child([] {
    SyscallFilter filter;
    filter.permit_reading(SYS_openat, 2);
    if (!std::move(filter).permit_other_calls("test")) return false;
    Fd reading(::openat(AT_FDCWD, "/dev/null", O_RDONLY | O_CLOEXEC));
    return reading && is_refused(::openat(AT_FDCWD, "/dev/null", O_WRONLY | O_CLOEXEC)) &&
           is_refused(::openat(AT_FDCWD, "/dev/null", O_RDWR | O_CLOEXEC));
  }));
}

}  // namespace
}  // namespace dscope
