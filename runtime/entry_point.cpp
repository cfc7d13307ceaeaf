#include "runtime/entry_point.h"

#include <elf.h>
#include <errno.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>

#include <cstring>
#include <functional>
#include <optional>

#include "runtime/read_file.h"
#include "support/format.h"

namespace dscope {
namespace {

#if defined(__x86_64__)
constexpr uint64_t breakpoint = 0xcc, breakpoint_mask = 0xff;
constexpr uint64_t pc_behind_breakpoint = 1;  // int3 is executed
auto& program_counter(user_regs_struct& registers) { return registers.rip; }
#elif defined(__aarch64__)
constexpr uint64_t breakpoint = 0xd4200000, breakpoint_mask = 0xffffffff;
constexpr uint64_t pc_behind_breakpoint = 0;  // brk faults
auto& program_counter(user_regs_struct& registers) { return registers.pc; }
#else
#error "the breakpoint instruction of this architecture is not known"
#endif

bool get_registers(pid_t pid, user_regs_struct& registers) {
  iovec place{.iov_base = &registers, .iov_len = sizeof registers};
  return ::ptrace(PTRACE_GETREGSET, pid, NT_PRSTATUS, &place) == 0 && place.iov_len == sizeof registers;
}

void set_registers(pid_t pid, user_regs_struct& registers) {
  iovec place{.iov_base = &registers, .iov_len = sizeof registers};
  ::ptrace(PTRACE_SETREGSET, pid, NT_PRSTATUS, &place);
}

std::optional<uint64_t> entry_point(pid_t pid) {
  auto auxv = read_file(fmt::format("/proc/{}/auxv", pid).c_str());
  if (!auxv) return std::nullopt;
  Elf64_auxv_t item{};
  for (size_t offset = 0; offset + sizeof item <= auxv->size(); offset += sizeof item) {
    std::memcpy(&item, auxv->data() + offset, sizeof item);
    if (item.a_type == AT_ENTRY) return item.a_un.a_val;
  }
  return std::nullopt;
}

// Continues the child stop by stop until `is_wanted` says that it is where it should be.
StopOutcome wait_until(pid_t pid, const std::function<bool(int stop_signal, int event)>& is_wanted) {
  for (;;) {
    int status = 0;
    if (::waitpid(pid, &status, __WALL) < 0) {
      if (errno == EINTR) continue;
      return StopOutcome::Ended;
    }
    if (!WIFSTOPPED(status)) return StopOutcome::Ended;
    int stop_signal = WSTOPSIG(status), event = status >> 16;
    if (is_wanted(stop_signal, event)) return StopOutcome::Stopped;
    long delivered = event == 0 ? stop_signal : 0;
    ::ptrace(PTRACE_CONT, pid, nullptr, delivered);
  }
}

}  // namespace

StopOutcome wait_for_exec(pid_t pid) {
  return wait_until(pid, [](int, int event) { return event == PTRACE_EVENT_EXEC; });
}

StopOutcome run_to_entry_point(pid_t pid) {
  auto entry = entry_point(pid);
  if (!entry) return StopOutcome::Stopped;
  auto address = reinterpret_cast<void*>(*entry);
  errno = 0;
  auto original = static_cast<uint64_t>(::ptrace(PTRACE_PEEKTEXT, pid, address, nullptr));
  if (errno != 0) return StopOutcome::Stopped;
  uint64_t patched = (original & ~breakpoint_mask) | breakpoint;
  if (::ptrace(PTRACE_POKETEXT, pid, address, patched) < 0) return StopOutcome::Stopped;
  ::ptrace(PTRACE_CONT, pid, nullptr, 0L);

  user_regs_struct registers{};
  bool has_executed_again = false;
  StopOutcome outcome = wait_until(pid, [&](int stop_signal, int event) {
    has_executed_again = event == PTRACE_EVENT_EXEC;  // the breakpoint went with the old program
    if (has_executed_again) return true;
    return stop_signal == SIGTRAP && event == 0 && get_registers(pid, registers) &&
           program_counter(registers) == *entry + pc_behind_breakpoint;
  });
  if (outcome == StopOutcome::Ended || has_executed_again) return outcome;
  ::ptrace(PTRACE_POKETEXT, pid, address, original);
  program_counter(registers) = *entry;
  set_registers(pid, registers);
  return outcome;
}

}  // namespace dscope
