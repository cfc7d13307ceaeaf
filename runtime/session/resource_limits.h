// Resource limits of this process (setrlimit(2)) that a session adjusts before it loads programs. Failures are ignored:
// loading then reports the shortage.
#pragma once

#include "contract/program_plan.h"

namespace dscope {

// Raises the limit of open descriptors to what the programs, maps and links of the plan need, as far as the hard limit
// allows.
void raise_descriptor_limit(const ProgramPlan& plan);

// Sets the limit of locked memory to option lockmem, which kernels before 5.11 count the memory of maps against.
// Without the privilege to raise the hard limit, raises the soft limit to it.
void set_locked_memory_limit(const OptionValues& options);

}  // namespace dscope
