// Links to kernel functions. kprobe.multi links all functions of a program at once; perf kprobes and trampolines need a
// link per function. Functions that the kernel cannot probe are omitted, unless a program has no others.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "contract/hook.h"
#include "support/fd.h"
#include "support/result.h"

namespace dscope {

class FunctionLinks {
 public:
  // Adds a function for kprobe.multi.
  void add(const HookFunction& hook, uint64_t cookie);
  // Links the functions added since the last call, and removes them. `name` is the program's, for messages.
  Result<std::vector<Fd>> attach(int program_fd, const std::string& name);
  // Opens the perf event of a kprobe; the caller links the program to it. Errors carry their errno.
  Result<Fd> open_kprobe(const HookFunction& hook);
  // Links a program that was loaded for one function. Errors carry their errno.
  static Result<Fd> attach_trampoline(int program_fd, const HookFunction& hook);

  // Number of functions that were omitted.
  size_t omitted() const { return omitted_; }
  void count_omitted() { ++omitted_; }

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
  size_t omitted_ = 0;
  size_t refusals_ = 0;
};

// True if the errno of a failed attachment concerns the function, not the abilities or permissions of the kernel.
bool is_refusal_of_function(int error_number);

}  // namespace dscope
