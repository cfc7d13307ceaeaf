// Attaches loaded programs to their hooks and detaches them; a forked child does the latter if it takes long.
#pragma once

#include <span>
#include <vector>

#include "runtime/attach/object_iteration.h"
#include "runtime/load/loader.h"

namespace dscope {

// A program that the session fires itself: BEGIN, END and ticks.
struct FiredProgram {
  int program_fd = -1;
  uint64_t cookie = 0;
  uint64_t period_ns = 0;  // of timers
  int cpu = -1;            // option cpu; -1: any
  std::string name;        // for messages
};

// Runs the program once in this process, by BPF_PROG_TEST_RUN.
Result<> fire(const FiredProgram& program);

class AttachedPrograms {
 public:
  // `only_cpu`: option cpu, or -1. The descriptors of the programs must stay open while programs are fired. `progress`
  // may be null.
  static Result<AttachedPrograms> attach(std::span<const LoadedProgram> programs, int only_cpu,
                                         Progress* progress = nullptr);
  AttachedPrograms() = default;
  AttachedPrograms(AttachedPrograms&&) = default;
  AttachedPrograms& operator=(AttachedPrograms&&) = default;
  ~AttachedPrograms() { detach(); }

  const std::vector<FiredProgram>& begin() const { return begin_; }
  const std::vector<FiredProgram>& end() const { return end_; }
  const std::vector<FiredProgram>& timers() const { return timers_; }
  // Iterators to run once tracing has started, in this order.
  const std::vector<AttachedIterator>& iterators() const { return iterators_; }
  // Rows of probes that were not attached because the kernel cannot emulate their instruction.
  const std::vector<uint32_t>& omitted_rows() const { return omitted_rows_; }
  // Number of uprobes with a perf event each, because the kernel has no uprobe.multi; it takes 0.1 s to detach each.
  size_t single_uprobes() const { return single_uprobes_; }
  // Number of probes that were not attached because the kernel refuses to probe their function.
  size_t omitted_functions() const { return omitted_functions_; }
  // Whether the program is attached to anything, besides probes that the session fires itself.
  bool has_links(int program_fd) const;
  // Detaches one program for a while, and attaches it again. Probes that the session fires itself go on.
  void suspend(int program_fd);
  Result<> resume(const LoadedProgram& program, int only_cpu);
  // Detaches everything. Returns quickly even if the kernel takes 0.1 s per link. Disarm the programs first.
  void detach();

 private:
  friend class Attacher;
  struct Link {
    Fd fd;  // a link, or the perf event below one
    int program_fd = -1;
  };
  static void close(std::vector<Link> fast, std::vector<Link> slow);

  std::vector<Link> fast_, slow_;
  std::vector<FiredProgram> begin_, end_, timers_;
  std::vector<AttachedIterator> iterators_;
  std::vector<uint32_t> omitted_rows_;
  size_t omitted_functions_ = 0, single_uprobes_ = 0;
};

}  // namespace dscope
