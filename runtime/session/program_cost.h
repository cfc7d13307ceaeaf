// ProgramCost: the CPU time of BPF programs, as the kernel counts it (BPF_ENABLE_STATS, Linux 5.8). Counting costs each
// firing some tens of nanoseconds.
#pragma once

#include <cstdint>
#include <vector>

#include "pictures/run_update.h"
#include "runtime/load/loader.h"
#include "support/fd.h"

namespace dscope {

// The CPU time of one program; 0 if the kernel does not tell.
uint64_t run_time_ns(const LoadedProgram& program);

class ProgramCost {
 public:
  // Makes the kernel count as long as this object exists. Counts nothing if the kernel does not allow it.
  ProgramCost();
  // Adds the sums over `programs` to `program_cpu_ns` and `firings`. Keeps the 100 that cost most in `programs`.
  void add(const std::vector<LoadedProgram>& programs, RunCost& cost) const;

 private:
  Fd enabled_;
};

}  // namespace dscope
