// FaultTally: the fault messages for people. A mistake in a busy clause faults thousands of times a second: the first
// fault of each D expression is printed in full, the others as a count per second.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "contract/program_plan.h"
#include "contract/record_format.h"
#include "support/excerpt.h"

namespace dscope {

class FaultTally {
 public:
  using Clock = std::chrono::steady_clock;

  // `plan` must outlive the tally.
  FaultTally(const ProgramPlan& plan, std::string program_name, Terminal terminal)
      : plan_(&plan), program_name_(std::move(program_name)), terminal_(terminal) {}

  // Counts a fault. Returns its message if it is the first of its expression and cause, else "".
  std::string add(const ds_fault_record& fault, Clock::time_point now);
  // One line for each expression that has faulted again since its last line; "" within a second of the last call that
  // returned lines.
  std::string due(Clock::time_point now);
  // The lines of due(), even within a second of the last ones.
  std::string rest(Clock::time_point now);

 private:
  struct Repeats {
    uint64_t count = 0;  // since the last line
    std::string probe;   // of the first fault
  };

  std::string first_fault(const ds_fault_record& fault, const std::string& probe) const;

  const ProgramPlan* plan_;
  std::string program_name_;
  Terminal terminal_;
  std::map<std::pair<uint32_t, uint32_t>, Repeats> repeats_;  // by fault site and fault code
  uint64_t total_ = 0;                                        // sum of all counts
  Clock::time_point since_{};                                 // time of the last lines, or of the first repeat
};

}  // namespace dscope
