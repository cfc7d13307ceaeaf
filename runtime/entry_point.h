// Stepping a seized child: to its exec, and on to the entry point of its program, where the dynamic linker has mapped
// and initialised the libraries. Used by targets.cpp.
#pragma once

#include <sys/types.h>

#include <cstdint>

namespace dscope {

enum class StopOutcome : uint8_t { Stopped, Ended };

// Waits for the stop that PTRACE_O_TRACEEXEC promises. Signals on the way are delivered.
StopOutcome wait_for_exec(pid_t pid);
// From the exec stop to the entry point by a breakpoint that is gone afterwards. If the entry point cannot be found
// (32-bit programs) the child stays where it is.
StopOutcome run_to_entry_point(pid_t pid);

}  // namespace dscope
