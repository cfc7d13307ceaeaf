// Attaches loaded programs to their hooks, and detaches them again, in a forked child where that takes long.
#pragma once

#include <vector>

#include "runtime/attach/object_iteration.h"
#include "runtime/load/loader.h"

namespace dscope {

// A program that the session fires itself.
struct FiredProgram {
  int program_fd = -1;
  uint64_t cookie = 0;
  uint64_t period_ns = 0;  // timers
  int cpu = -1;            // option cpu
  std::string name;
};

// Fires the program once through BPF_PROG_TEST_RUN, in this process.
Result<> fire(const FiredProgram& program);

class AttachedPrograms {
 public:
  // `only_cpu`: option cpu, or -1. The programs' descriptors must stay open while they are fired. `progress` may be
  // null.
  static Result<AttachedPrograms> attach(const std::vector<LoadedProgram>& programs, int only_cpu,
                                         Progress* progress = nullptr);
  AttachedPrograms() = default;
  AttachedPrograms(AttachedPrograms&&) = default;
  AttachedPrograms& operator=(AttachedPrograms&&) = default;
  ~AttachedPrograms() { detach(); }

  const std::vector<FiredProgram>& begin() const { return begin_; }
  const std::vector<FiredProgram>& end() const { return end_; }
  const std::vector<FiredProgram>& timers() const { return timers_; }
  // To be read when tracing has started, in this order.
  const std::vector<AttachedIterator>& iterators() const { return iterators_; }
  // Probes of instructions that the kernel cannot emulate, which are not there: their rows.
  const std::vector<uint32_t>& left_out() const { return left_out_; }
  // Uprobes that the kernel takes 0.1 s each to take away, because it cannot do it with all at once.
  size_t one_by_one() const { return one_by_one_; }
  // Probes of kernel functions that are not there, because the kernel refuses to probe the function.
  size_t left_out_functions() const { return left_out_functions_; }
  // Returns soon even if the kernel takes 0.1 s for each of the links. Disarm the programs first.
  void detach();

 private:
  friend class Attacher;
  std::vector<Fd> fast_, slow_;  // links, and the perf events below them
  std::vector<FiredProgram> begin_, end_, timers_;
  std::vector<AttachedIterator> iterators_;
  std::vector<uint32_t> left_out_;  // rows
  size_t left_out_functions_ = 0, one_by_one_ = 0;
};

}  // namespace dscope
