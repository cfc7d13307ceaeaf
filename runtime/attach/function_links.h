// Links to functions of the kernel: kprobe.multi takes all functions of a program at once, perf kprobes and trampolines
// are one by one. Functions that the kernel cannot probe are left out, unless they are all that a program has.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "contract/host.h"
#include "support/fd.h"
#include "support/result.h"

namespace dscope {

class FunctionLinks {
 public:
  // Of kprobe.multi.
  void add(const HookFunction& hook, uint64_t cookie);
  // Links what was added since the last call, and forgets it. `name` is that of the program, for messages.
  Result<std::vector<Fd>> attach(int program_fd, const std::string& name);
  // A perf event; the caller hangs the program on it.
  Result<Fd> open_kprobe(const HookFunction& hook);
  // Links a program that was loaded for one function; errors have their number.
  static Result<Fd> attach_trampoline(int program_fd, const HookFunction& hook);

  size_t left_out() const { return left_out_; }
  void leave_out() { ++left_out_; }

 private:
  struct Group {
    std::vector<const char*> symbols;
    std::vector<uint64_t> cookies;  // parallel
    std::vector<std::string> names;
  };
  struct Kprobes {
    uint32_t type = 0;
    uint64_t return_flag = 0;
  };
  Result<> link(int program_fd, bool is_return, std::span<const char*> symbols, std::span<uint64_t> cookies,
                std::vector<Fd>& links);

  Group entries_, returns_;
  Kprobes kprobes_;
  size_t left_out_ = 0;
  size_t refusals_ = 0;
};

// Whether an error of attaching is about the one function, not about what the kernel can do or allows.
bool is_about_function(int error_number);

}  // namespace dscope
