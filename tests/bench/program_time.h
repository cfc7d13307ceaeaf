// Time spent inside BPF programs by the kernel's own account (what kernel.bpf_stats_enabled turns on).
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "support/fd.h"
#include "support/result.h"

namespace dscope::bench {

using ProgramIds = std::set<uint32_t>;
// All programs that are loaded now.
ProgramIds loaded_programs();

struct ProgramTime {
  uint64_t nanoseconds = 0;
  uint64_t runs = 0;
};

// Counts from construction to destruction, for all programs of the machine: enable it only around what is measured,
// since it slows every program down.
class ProgramTimer {
 public:
  // Watches the programs that are loaded now and were not in `before`.
  static Result<ProgramTimer> start(const ProgramIds& before);
  ProgramTime total() const;

 private:
  Fd statistics_;
  std::vector<Fd> programs_;
};

}  // namespace dscope::bench
