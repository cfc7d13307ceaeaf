// Stepping a seized child by ptrace(2): continuing it until something stops it, breakpoints, single steps. Nothing of
// it stays in the child: instructions are put back before anybody else sees them. Used by start_point.cpp.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <optional>

namespace dscope {

// Executed: at the exec of another program. GivenUp: somewhere on the way, standing if that could be had.
enum class StopOutcome : uint8_t { Stopped, Executed, Ended, GivenUp };

// Returns when something may have happened to the child; false: nobody wants to wait any longer. Empty: as long as it
// takes.
using Patience = std::function<bool()>;

// Waits for the stop that PTRACE_O_TRACEEXEC promises. Signals on the way are delivered.
StopOutcome wait_for_exec(pid_t pid);
// Continues to the instruction at `address`, which may be anywhere in the child. Children that it forks meanwhile do
// not see the breakpoint. `Stopped` without having moved if there is no such memory.
StopOutcome run_to(pid_t pid, uint64_t address, const Patience& patience);
// One instruction.
StopOutcome step(pid_t pid);

// What is looked at while it stands.
std::optional<uint64_t> program_counter(pid_t pid);
std::optional<uint64_t> first_argument(pid_t pid);  // of a function whose first instruction it stands at
std::optional<uint64_t> read_word(pid_t pid, uint64_t address);

}  // namespace dscope
