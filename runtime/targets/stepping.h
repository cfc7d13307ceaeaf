// Controls a seized child by ptrace(2): runs it to a breakpoint or for one instruction. Restores every patched
// instruction before another process can see it. Used by start_point.cpp.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <optional>

namespace dscope {

// Stopped: at the requested location. Executed: at the exec of another program. Ended: the child has ended. Aborted:
// the wait was aborted; the child is somewhere on the way, stopped if possible.
enum class StopOutcome : uint8_t { Stopped, Executed, Ended, Aborted };

// Blocks until the state of the child may have changed; returns false to abort the wait. Empty: wait without limit.
using KeepWaiting = std::function<bool()>;

// Waits for the stop of PTRACE_O_TRACEEXEC. Delivers signals on the way.
StopOutcome wait_for_exec(pid_t pid);
// Runs the child to the instruction at `address`. Children that it forks on the way do not inherit the breakpoint.
// Returns `Stopped` without running it if the address is not mapped.
StopOutcome run_to(pid_t pid, uint64_t address, const KeepWaiting& keep_waiting);
// Runs one instruction.
StopOutcome step(pid_t pid);

// State of a stopped child; nothing if it cannot be read, or if the child is a program of another word size.
std::optional<uint64_t> program_counter(pid_t pid);
std::optional<uint64_t> first_argument(pid_t pid);  // if it is stopped at the first instruction of a function
std::optional<uint64_t> read_word(pid_t pid, uint64_t address);

}  // namespace dscope
