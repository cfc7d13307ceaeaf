// Filters of system calls by seccomp(2), for processes that read what others wrote.
#pragma once

#include <linux/filter.h>

#include <cstddef>
#include <string_view>
#include <vector>

#include "support/result.h"

namespace dscope {

// A refused call fails with EPERM. A call by the numbers of another architecture kills the process.
class SyscallFilter {
 public:
  SyscallFilter();

  void permit(long call);
  void refuse(long call);
  // Permits the call, which opens a file, for reading. `flags_argument`: index of the argument with the flags of
  // open(2).
  void permit_reading(long call, size_t flags_argument);

  // Installs the filter for this thread and those it creates; needs PR_SET_NO_NEW_PRIVS. A kernel without seccomp is no
  // error. `subject`: what the error says cannot be confined.
  Result<> permit_other_calls(std::string_view subject) &&;
  Result<> refuse_other_calls(std::string_view subject) &&;

 private:
  void append_decision(long call, const sock_filter& decision);
  Result<> install(const sock_filter& decision, std::string_view subject);

  std::vector<sock_filter> filter_;
};

}  // namespace dscope
