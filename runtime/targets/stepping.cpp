#include "runtime/targets/stepping.h"

#include <elf.h>
#include <errno.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstddef>

namespace dscope {
namespace {

#if defined(__x86_64__)
constexpr uint64_t breakpoint = 0xf4, breakpoint_mask = 0xff;  // hlt, which faults in programs
constexpr int breakpoint_signal = SIGSEGV;
constexpr bool has_debug_registers = true;
auto& pc_of(user_regs_struct& registers) { return registers.rip; }
auto& argument_of(user_regs_struct& registers) { return registers.rdi; }
#elif defined(__aarch64__)
constexpr uint64_t breakpoint = 0xd4200000, breakpoint_mask = 0xffffffff;  // brk
constexpr int breakpoint_signal = SIGTRAP;
constexpr bool has_debug_registers = false;
auto& pc_of(user_regs_struct& registers) { return registers.pc; }
auto& argument_of(user_regs_struct& registers) { return registers.regs[0]; }
#else
#error "the breakpoint instruction of this architecture is not known"
#endif

constexpr uint64_t enable_execution_of_0 = 1;  // in debug register 7

// False for programs of another word size.
bool get_registers(pid_t pid, user_regs_struct& registers) {
  iovec buffer{.iov_base = &registers, .iov_len = sizeof registers};
  return ::ptrace(PTRACE_GETREGSET, pid, NT_PRSTATUS, &buffer) == 0 && buffer.iov_len == sizeof registers;
}

void set_registers(pid_t pid, user_regs_struct& registers) {
  iovec buffer{.iov_base = &registers, .iov_len = sizeof registers};
  ::ptrace(PTRACE_SETREGSET, pid, NT_PRSTATUS, &buffer);
}

bool write_word(pid_t pid, uint64_t address, uint64_t word) {
  return ::ptrace(PTRACE_POKETEXT, pid, reinterpret_cast<void*>(address), word) == 0;
}

bool write_debug_register([[maybe_unused]] pid_t pid, [[maybe_unused]] int number, [[maybe_unused]] uint64_t value) {
#if defined(__x86_64__)
  size_t offset = offsetof(user, u_debugreg) + static_cast<size_t>(number) * sizeof(user::u_debugreg[0]);
  return ::ptrace(PTRACE_POKEUSER, pid, reinterpret_cast<void*>(offset), value) == 0;
#else
  return false;
#endif
}

uint64_t read_debug_status([[maybe_unused]] pid_t pid) {
#if defined(__x86_64__)
  constexpr size_t offset = offsetof(user, u_debugreg) + 6 * sizeof(user::u_debugreg[0]);
  return static_cast<uint64_t>(::ptrace(PTRACE_PEEKUSER, pid, reinterpret_cast<void*>(offset), nullptr));
#else
  return 0;
#endif
}

// Whether the breakpoint at the stopped thread's next instruction fires when the thread steps.
bool fires_at_step(pid_t pid) {
  constexpr int max_attempts = 3;  // the first one may end at the return from execve(2), before any instruction
  auto start = program_counter(pid);
  for (int i = 0; i < max_attempts && program_counter(pid) == start; ++i) {
    if (step(pid) != StopOutcome::Stopped) return false;
    if ((read_debug_status(pid) & 1) != 0) return true;
  }
  return false;
}

// Hypervisors may accept values of debug registers and never report a breakpoint (PVM). The stopped thread tests that
// once, at its next instruction, and is then where it was.
bool have_debug_registers(pid_t pid) {
  static std::optional<bool> known;
  if (known) return *known;
  user_regs_struct registers{};
  if (!has_debug_registers || !get_registers(pid, registers)) return false;
  if (!write_debug_register(pid, 0, pc_of(registers)) || !write_debug_register(pid, 7, enable_execution_of_0))
    return false;
  known = fires_at_step(pid);
  write_debug_register(pid, 7, 0);
  set_registers(pid, registers);
  return *known;
}

// Stops a thread before the instruction at an address. It uses a debug register of x86 if there are any. Else it
// replaces the instruction, not by int3: the kernel handles an int3 at the address of a uprobe as that uprobe's and
// reports no SIGTRAP. It also restores the instruction when the uprobe is removed, so another dscope that attaches to
// the dynamic linker in that moment would make the child run on. On arm64 a uprobe has a breakpoint instruction of its
// own.
class Breakpoint {
 public:
  static std::optional<Breakpoint> set(pid_t pid, uint64_t address) {
    Breakpoint result(address);
    if (have_debug_registers(pid) && write_debug_register(pid, 0, address) &&
        write_debug_register(pid, 7, enable_execution_of_0))
      return result;
    result.original_ = read_word(pid, address);
    if (!result.original_ || !write_word(pid, address, (*result.original_ & ~breakpoint_mask) | breakpoint))
      return std::nullopt;
    return result;
  }

  // The signal of the stop. The program counter is at the address.
  int signal() const { return original_ ? breakpoint_signal : SIGTRAP; }

  void remove(pid_t pid) const {
    if (original_) write_word(pid, address_, *original_);
    else write_debug_register(pid, 7, 0);
  }

  // Restores the instruction in the memory of a forked copy. Copies do not inherit debug registers.
  void remove_from_copy(pid_t copy) const {
    if (original_) write_word(copy, address_, *original_);
  }

 private:
  explicit Breakpoint(uint64_t address) : address_(address) {}

  uint64_t address_;
  std::optional<uint64_t> original_;  // the instruction that the breakpoint replaced in memory
};

// Lets a forked copy of the child run on. Its memory has the breakpoint too, unless it shares the memory (vfork).
void release_copy(pid_t copy, int event, const Breakpoint& set) {
  int status = 0;
  if (::waitpid(copy, &status, __WALL) < 0 || !WIFSTOPPED(status)) return;
  if (event != PTRACE_EVENT_VFORK) set.remove_from_copy(copy);
  ::ptrace(PTRACE_DETACH, copy, nullptr, nullptr);
}

// The cause of a stop.
struct Stop {
  int signal = 0;
  int event = 0;
};

// Waits for a stop for which `is_wanted` returns true. After any other stop continues the child by `how`: PTRACE_CONT
// or PTRACE_SINGLESTEP.
StopOutcome wait_until(pid_t pid, __ptrace_request how, const KeepWaiting& keep_waiting,
                       const std::function<bool(const Stop& stop)>& is_wanted) {
  for (;;) {
    int status = 0;
    pid_t found = ::waitpid(pid, &status, keep_waiting ? __WALL | WNOHANG : __WALL);
    if (found < 0 && errno != EINTR) return StopOutcome::Ended;
    if (found == 0 && !keep_waiting()) return StopOutcome::Aborted;
    if (found <= 0) continue;
    if (!WIFSTOPPED(status)) return StopOutcome::Ended;
    Stop stop{.signal = WSTOPSIG(status), .event = status >> 16};
    if (stop.event == PTRACE_EVENT_EXEC) return StopOutcome::Executed;
    if (is_wanted(stop)) return StopOutcome::Stopped;
    long delivered = stop.event == 0 ? stop.signal : 0;
    ::ptrace(how, pid, nullptr, delivered);
  }
}

// Stops the running child to remove the breakpoint. Leaves a child alone that does not stop within 100 ms: it waits
// where it cannot be interrupted.
StopOutcome remove_breakpoint(pid_t pid, uint64_t address, const Breakpoint& set) {
  ::ptrace(PTRACE_INTERRUPT, pid, nullptr, nullptr);
  constexpr int max_rounds = 100;
  int status = 0;
  pid_t found = 0;
  for (int i = 0; found == 0 && i < max_rounds; ++i) {
    if (i != 0) ::usleep(1000);
    found = ::waitpid(pid, &status, __WALL | WNOHANG);
  }
  if (found == 0) return StopOutcome::Aborted;
  if (found < 0 || !WIFSTOPPED(status)) return StopOutcome::Ended;
  if (status >> 16 == PTRACE_EVENT_EXEC) return StopOutcome::Aborted;
  set.remove(pid);
  if (status >> 16 != 0) return StopOutcome::Aborted;
  user_regs_struct registers{};
  bool is_there = WSTOPSIG(status) == set.signal() && get_registers(pid, registers) && pc_of(registers) == address;
  if (!is_there) ::kill(pid, WSTOPSIG(status));  // deliver the signal again: the caller continues the child without it
  return StopOutcome::Aborted;
}

}  // namespace

StopOutcome wait_for_exec(pid_t pid) {
  return wait_until(pid, PTRACE_CONT, {}, [](const Stop&) { return false; });
}

StopOutcome run_to(pid_t pid, uint64_t address, const KeepWaiting& keep_waiting) {
  auto set = Breakpoint::set(pid, address);
  if (!set) return StopOutcome::Stopped;
  ::ptrace(PTRACE_CONT, pid, nullptr, 0L);
  user_regs_struct registers{};
  StopOutcome outcome = wait_until(pid, PTRACE_CONT, keep_waiting, [&](const Stop& stop) {
    if (stop.event == PTRACE_EVENT_FORK || stop.event == PTRACE_EVENT_VFORK) {
      unsigned long copy = 0;
      ::ptrace(PTRACE_GETEVENTMSG, pid, nullptr, &copy);
      release_copy(static_cast<pid_t>(copy), stop.event, *set);
    }
    return stop.signal == set->signal() && stop.event == 0 && get_registers(pid, registers) &&
           pc_of(registers) == address;
  });
  if (outcome == StopOutcome::Aborted) return remove_breakpoint(pid, address, *set);
  if (outcome != StopOutcome::Stopped) return outcome;  // exec has removed the breakpoint with the old program
  set->remove(pid);
  return outcome;
}

StopOutcome step(pid_t pid) {
  if (::ptrace(PTRACE_SINGLESTEP, pid, nullptr, 0L) < 0) return StopOutcome::Ended;
  return wait_until(pid, PTRACE_SINGLESTEP, {},
                    [](const Stop& stop) { return stop.signal == SIGTRAP && stop.event == 0; });
}

std::optional<uint64_t> program_counter(pid_t pid) {
  user_regs_struct registers{};
  if (!get_registers(pid, registers)) return std::nullopt;
  return pc_of(registers);
}

std::optional<uint64_t> first_argument(pid_t pid) {
  user_regs_struct registers{};
  if (!get_registers(pid, registers)) return std::nullopt;
  return argument_of(registers);
}

std::optional<uint64_t> read_word(pid_t pid, uint64_t address) {
  errno = 0;
  auto word = static_cast<uint64_t>(::ptrace(PTRACE_PEEKTEXT, pid, reinterpret_cast<void*>(address), nullptr));
  if (errno != 0) return std::nullopt;
  return word;
}

}  // namespace dscope
