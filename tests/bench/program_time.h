// Time spent inside BPF programs by the kernel's own statistics (as with kernel.bpf_stats_enabled).
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "support/fd.h"
#include "support/result.h"

namespace dscope::bench {

using ProgramIds = std::set<uint32_t>;
// All currently loaded programs.
ProgramIds loaded_programs();

struct ProgramTime {
  uint64_t nanoseconds = 0;
  uint64_t runs = 0;
};

// Counts from construction to destruction, for all programs of the machine. Use it only around the measured code,
// because it slows down every program.
class ProgramTimer {
 public:
  // Watches the currently loaded programs that are not in `before`.
  static Result<ProgramTimer> start(const ProgramIds& before);
  ProgramTime total() const;

 private:
  Fd statistics_;
  std::vector<Fd> programs_;
};

}  // namespace dscope::bench
