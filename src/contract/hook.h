// Hooks: the points in the kernel or in a process at which BPF programs fire. Plain data: providers fill them in, the
// runtime attaches them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace dscope {

// The context that the kernel passes to a BPF program.
enum class BpfContext : uint8_t {
  RawTracepoint,  // u64 arguments; also the context of BPF_PROG_TEST_RUN, which fires BEGIN, END and ticks
  Tracepoint,     // formatted record (perf tracepoints)
  PerfEvent,      // bpf_perf_event_data
  Probe,          // struct pt_regs: uprobes
  KernelProbe,    // struct pt_regs: kprobes, attached one by one or many by one link
  Function,       // arguments and result of a kernel function: fentry, fexit; each function needs its own program
  Iterator,       // the fields that the kernel passes for each object, in 64-bit words
};

// How the kernel runs programs at its functions (providers.md 4.3).
enum class FunctionMechanism : uint8_t {
  Trampoline,  // fentry and fexit: a program and a trampoline for each function; firing costs least
  Multi,       // kprobe.multi: one link for all functions
  Kprobe,      // a perf event for each function
  Security,    // LSM hook: like a trampoline, but the kernel applies the program's return value
};

struct HookTestRun {  // fired by the consumer: BEGIN, END. Other programs fire ERROR
  enum class Role : uint8_t { Begin, End, Error } role{};
  bool operator==(const HookTestRun&) const = default;
};
struct HookTimer {         // tick-N, fired by the consumer's timer; if the script reads the interrupted context,
  uint64_t period_ns = 0;  // by a perf event on one CPU
  bool operator==(const HookTimer&) const = default;
};
struct HookPerfClock {  // profile-N: cpu-clock on every CPU
  uint64_t period_ns = 0;
  bool operator==(const HookPerfClock&) const = default;
};
struct HookPerfEvent {    // an event that the kernel or the processor counts, on every CPU
  uint32_t type = 0;      // perf_event_attr.type
  uint64_t config = 0;    // perf_event_attr.config
  uint64_t period = 1;    // events per firing; nanoseconds for the clocks
  bool in_user = true;    // counts in user mode
  bool in_kernel = true;  // counts in kernel mode
  bool operator==(const HookPerfEvent&) const = default;
};
// Tests bits of a system call's argument, or of the 64-bit word that the argument points to.
struct SyscallCondition {
  uint8_t argument = 0;
  bool is_in_memory = false;
  uint64_t bits = 0;
  bool has_some = true;  // true: at least one of `bits` is set; false: none is
  bool operator==(const SyscallCondition&) const = default;
};
struct HookSyscall {  // one of the raw pair sys_enter/sys_exit, dispatched by number
  // The first number of calls that only 32-bit programs can make. No 64-bit call has such a number.
  static constexpr uint32_t first_compat_number = 1024;
  uint32_t number = 0;
  bool is_return = false;
  // Fires only if all conditions hold. At most one hook of a system call fires.
  std::vector<SyscallCondition> conditions = {};
  // Indices of the call's arguments that arg0, arg1 ... read; empty: in the call's own order.
  static constexpr uint8_t no_argument = 15;
  std::vector<uint8_t> order = {};
  bool operator==(const HookSyscall&) const = default;
};
struct HookRawTracepoint {
  std::string name;
  bool operator==(const HookRawTracepoint&) const = default;
};
struct HookTracepoint {  // perf tracepoint; the runtime reads the event id from tracefs when it attaches
  std::string category, name;
  bool operator==(const HookTracepoint&) const = default;
};
// The position of a uprobe's instruction in its function, which determines the state of the stack when the probe fires.
enum class UprobePosition : uint8_t {
  Anywhere,  // the stack is as the compiled code left it
  Within,    // as Anywhere; an instruction inside a function that was not compiled with probes
  Entry,     // first instruction of a function: the return address is on top of the stack
  Exit,      // an instruction that leaves a function: the return address is on top of the stack
  Returned,  // return probe of the function that starts at this instruction: the function has returned to its caller
};
struct HookUprobe {     // an instruction of a file that processes map
  std::string path;     // as the tracer can open it
  uint64_t offset = 0;  // bytes from the start of the file
  uint32_t pid = 0;     // the process; 0: every process that maps the file
  UprobePosition position{};
  uint64_t semaphore_offset = 0;  // of the USDT semaphore, in the file; 0: the probe has none
  int32_t detail = 0;             // value of ArgSourceKind::HookDetail; Entry: bytes from the function's first byte
  bool operator==(const HookUprobe&) const = default;
};
struct HookFunction {  // a function of the kernel or of a module
  std::string module, function;
  bool is_return = false;
  uint64_t offset = 0;               // of the instruction, bytes from the start of the function
  uint32_t type_id = 0;              // BTF id of the function, within its module's BTF; 0: BTF does not describe it
  bool supports_trampoline = false;  // fentry and fexit can pass on arguments of these types
  FunctionMechanism mechanism = FunctionMechanism::Multi;  // chosen once the number of functions is known
  bool operator==(const HookFunction&) const = default;
};
struct HookIterator {               // fires once per kernel object of a kind when tracing starts
  std::string target;               // the kernel's name of the kind: "task", "task_file"
  uint32_t type_id = 0;             // BTF id of the function bpf_iter_<target>
  std::vector<uint32_t> objects;    // words of the context that are null after the last object
  std::optional<uint32_t> subject;  // the word that is the object's thread, or the thread that owns the object
  bool operator==(const HookIterator&) const = default;
};
struct HookWatch {        // hardware breakpoint on memory accesses
  uint64_t address = 0;   // in the process or in the kernel
  uint32_t length = 0;    // bytes
  uint32_t accesses = 0;  // HW_BREAKPOINT_ bits of linux/hw_breakpoint.h
  uint32_t pid = 0;       // the process whose threads are watched; 0: kernel memory, accessed by any thread
  bool operator==(const HookWatch&) const = default;
};
using Hook = std::variant<HookTestRun, HookTimer, HookPerfClock, HookPerfEvent, HookSyscall, HookRawTracepoint,
                          HookTracepoint, HookUprobe, HookFunction, HookIterator, HookWatch>;

}  // namespace dscope
