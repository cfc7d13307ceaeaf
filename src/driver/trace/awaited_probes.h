// AwaitedProbes: the descriptions of a program that match nothing yet but may match later: in programs and libraries
// that targets execute or load (-x follow=exec, -Z), or in kernel modules. The end of the run reports descriptions that
// never matched, because they may be misspelled.
#pragma once

#include <string>
#include <vector>

#include "driver/compile/compilation.h"

namespace dscope {

class AwaitedProbes {
 public:
  explicit AwaitedProbes(const Compilation& compilation);

  // The number of awaited descriptions in each of the plan's units.
  std::vector<size_t> counts(size_t unit_count) const;
  bool empty() const { return awaited_.empty(); }
  // Whether some descriptions await probes of processes, not of kernel modules.
  bool has_some_of_processes() const;
  // Removes the descriptions that match in `recompiled`, the same program compiled again.
  void remove_matched(const Compilation& recompiled);
  // Returns one line for each description that never matched. `is_quiet`: omits descriptions that may match nothing.
  std::vector<std::string> unmatched_messages(Host& host, bool is_quiet) const;

 private:
  struct Awaited {
    size_t clause;  // index into Semantics::clauses
    size_t unit;    // index into ProgramPlan::units
    ProbeDescription description;
    bool may_match_nothing;
    bool is_of_kernel;
  };
  std::vector<Awaited> awaited_;
};

}  // namespace dscope
