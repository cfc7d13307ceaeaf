// AwaitedProbes: the descriptions of a program that match nothing yet, and may match what targets execute or load later
// (-x follow=exec, -Z), or modules that the kernel loads. Which of them never did, the user is told in the end: one of
// them may be misspelt.
#pragma once

#include <string>
#include <vector>

#include "driver/compile/compilation.h"

namespace dscope {

class AwaitedProbes {
 public:
  explicit AwaitedProbes(const Compilation& compilation);

  // How many a unit of the plan has.
  size_t count_in(size_t unit) const;
  bool empty() const { return awaited_.empty(); }
  // Whether some are awaited of processes, not of modules of the kernel.
  bool has_some_of_processes() const;
  // The same program, as it is compiled now: what it matches is awaited no longer.
  void remove_found(const Compilation& again);
  // A line for each that is left. `is_quiet`: not for those that were allowed to match nothing.
  std::vector<std::string> complaints(Host& host, bool is_quiet) const;

 private:
  struct Awaited {
    size_t clause;  // of Semantics::clauses
    size_t unit;    // of the plan
    ProbeDescription description;
    bool may_stay;
    bool is_of_kernel;
  };
  std::vector<Awaited> awaited_;
};

}  // namespace dscope
