// Host: all that the compiler may ask of a machine: which probes there are, what the kernel's types are, which
// facilities it has. LiveHost (runtime/) answers for this machine, FakeHost (tests/support/) from a text file.
// Answers are lazy: a clause on syscall::: must not read BTF, kallsyms or tracefs.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "catalog/stability.h"
#include "contract/type.h"
#include "support/diagnostic.h"
#include "support/result.h"

namespace dscope {

// ---------------------------------------------------------------- probes

// Where argN of a firing comes from: data that codegen/prologue.cpp understands (providers.md 1.10).
enum class ArgSourceKind : uint8_t {
  Zero,            // reads 0
  CtxSlot,         // 64-bit word `index` of the BPF context (raw tracepoint arguments)
  SyscallArg,      // register of system call argument `index`, from the task's pt_regs
  SyscallReturn,   // return value of the system call (ctx word 1 of sys_exit)
  RecordField,     // field of a tracepoint record at `offset`, `size` bytes, `is_signed`
  RecordAddress,   // address of the record's byte `offset` (array fields)
  RecordDataLoc,   // record address + low 16 bits of the u32 at `offset` (__data_loc)
  RecordRelLoc,    // same, relative to the end of that u32 (__rel_loc)
  KernelPc,        // pc of an interrupted kernel, 0 if the CPU was in user mode (perf events)
  UserPc,          // pc of an interrupted user program, 0 if in kernel mode
  Lateness,        // ns since the timer was due (perf events of a clock)
  EventAddress,    // address that an event is about: of a page fault, of watched memory (perf events)
  Constant,        // `offset` is the value
  Register,        // register at byte `offset` of struct pt_regs, the context of uprobes
  StackWord,       // user memory at stack pointer + `offset`, `size` bytes
  HookDetail,      // HookUprobe::detail of the place that was hit
  UserMemory,      // user memory at register `base` + register `index` * `scale` + `offset`; no index if scale is 0
  RegisterPair,    // an object of up to 16 bytes: the registers at `offset` and at `base` of struct pt_regs
  VectorRegister,  // a floating-point number: BPF programs cannot read it
  FunctionArg,     // word `index` of the arguments of a kernel function
  FunctionResult,  // what a kernel function returned, `size` bytes, `is_signed`
};

struct ArgSource {
  ArgSourceKind kind = ArgSourceKind::Zero;
  uint32_t index = 0;
  int64_t offset = 0;
  uint32_t size = 8;
  bool is_signed = false;
  uint32_t base = 0, scale = 0;
  bool operator==(const ArgSource&) const = default;
};

// args[n]: a typed view of an ArgSource.
struct ProbeArg {
  std::string type_text;  // C spelling, for -lv: "struct task_struct *"
  TypeId type;            // in the TypeTable given to Host::load_args; error type if it cannot be known
  std::string name;       // parameter or field name, may be empty
  ArgSource source;
  std::string translated_text;  // D type that args[n] has by a translator from `type`: "psinfo_t *"; empty: none
};

enum class BpfContext : uint8_t {
  RawTracepoint,  // u64 arguments; also what TEST_RUN of BEGIN, END and ticks uses
  Tracepoint,     // formatted record (perf tracepoints)
  PerfEvent,      // bpf_perf_event_data
  Probe,          // struct pt_regs: uprobes
  KernelProbe,    // struct pt_regs: kprobes, one by one or many by one link
  Function,  // arguments of a kernel function and its result: fentry, fexit. A program of its own for each function
  Iterator,  // what the kernel tells of one of its objects, in 64-bit words
};

// How the kernel runs programs at its functions (providers.md 4.3).
enum class FunctionMechanism : uint8_t {
  Trampoline,  // fentry and fexit: a program and a trampoline for each function, little cost when they fire
  Multi,       // kprobe.multi: one link for all functions
  Kprobe,      // a perf event for each function
  Security,    // where security modules are asked: as a trampoline, and the kernel heeds what the program returns
};

// Places in the kernel where a probe can be hung; data only, the runtime attaches them.
struct HookTestRun {  // fired by the consumer itself: BEGIN, END; ERROR is fired by other programs
  enum class Role : uint8_t { Begin, End, Error } role{};
  bool operator==(const HookTestRun&) const = default;
};
struct HookTimer {         // tick-N fired by the consumer's timer (or, if the script needs the interrupted
  uint64_t period_ns = 0;  // context, by a perf event on one CPU)
  bool operator==(const HookTimer&) const = default;
};
struct HookPerfClock {  // profile-N: cpu-clock on every CPU
  uint64_t period_ns = 0;
  bool operator==(const HookPerfClock&) const = default;
};
struct HookPerfEvent {    // an event that the kernel or the processor counts, on every CPU
  uint32_t type = 0;      // of perf_event_open(2)
  uint64_t config = 0;    // the same
  uint64_t period = 1;    // fires every so many events; nanoseconds for the clocks
  bool in_user = true;    // counts while a program runs
  bool in_kernel = true;  // counts while the kernel runs
  bool operator==(const HookPerfEvent&) const = default;
};
// Whether the argument of a system call, or the 64-bit word it points to, has some of the bits.
struct SyscallCondition {
  uint8_t argument = 0;
  bool is_in_memory = false;
  uint64_t bits = 0;
  bool has_some = true;  // false: it has none of them
  bool operator==(const SyscallCondition&) const = default;
};
struct HookSyscall {  // one of the raw pair sys_enter/sys_exit, dispatched by number
  // Calls that only 32-bit programs have are numbered from here on; no other call has such a number.
  static constexpr uint32_t of_32_bits = 1024;
  uint32_t number = 0;
  bool is_return = false;
  std::vector<SyscallCondition> conditions = {};  // where all hold; of the hooks with one number one fires at most
  // The arguments of the call that arg0, arg1 ... are; empty: in the call's own order.
  static constexpr uint8_t no_argument = 15;
  std::vector<uint8_t> order = {};
  bool operator==(const HookSyscall&) const = default;
};
struct HookRawTracepoint {  // raw tracepoint by name
  std::string name;
  bool operator==(const HookRawTracepoint&) const = default;
};
struct HookTracepoint {  // perf tracepoint; event id is read from tracefs when attaching
  std::string category, name;
  bool operator==(const HookTracepoint&) const = default;
};
// What a uprobe's place means for the stack.
enum class UprobePlace : uint8_t {
  Anywhere,  // the stack is as the compiler left it
  Within,    // the same, of any instruction of a function that knows of no probe
  Entry,     // in front of a function: the return address is the top of the stack
  Exit,      // an instruction that leaves a function: as there
  Returned,  // where the function, whose first instruction this is, has returned to
};
struct HookUprobe {     // an instruction of a file that processes map
  std::string path;     // that the tracer can open
  uint64_t offset = 0;  // in the file
  uint32_t pid = 0;     // of the process; 0: all that map the file
  UprobePlace place{};
  uint64_t reference_counter = 0;  // offset in the file of what counts those who watch; 0: nothing does
  int32_t detail = 0;              // what ArgSourceKind::HookDetail reads; Entry: bytes behind the function's beginning
  bool operator==(const HookUprobe&) const = default;
};
struct HookFunction {  // a function of the kernel or of a module
  std::string module, function;
  bool is_return = false;
  uint64_t offset = 0;            // of the instruction, in bytes from the start of the function
  uint32_t type_id = 0;           // BTF id of the function, in its module's numbers; 0: not described
  bool takes_trampoline = false;  // its arguments are such that fentry and fexit can pass them on
  FunctionMechanism mechanism = FunctionMechanism::Multi;  // chosen when it is known how many functions there are
  bool operator==(const HookFunction&) const = default;
};
struct HookIterator {               // each of the kernel's objects of a kind, one after the other when tracing starts
  std::string target;               // what the kernel calls the kind
  uint32_t type_id = 0;             // BTF id of the function that stands for it
  std::vector<uint32_t> objects;    // words of the context that are null behind the last object
  std::optional<uint32_t> subject;  // the word that is the thread an object is, or belongs to
  bool operator==(const HookIterator&) const = default;
};
struct HookWatch {        // accesses to memory, which the processor notices
  uint64_t address = 0;   // of the process, or of the kernel
  uint32_t length = 0;    // bytes
  uint32_t accesses = 0;  // HW_BREAKPOINT_ bits of linux/hw_breakpoint.h
  uint32_t pid = 0;       // of the process whose threads are watched; 0: the kernel's own memory, whoever accesses it
  bool operator==(const HookWatch&) const = default;
};
using Hook = std::variant<HookTestRun, HookTimer, HookPerfClock, HookPerfEvent, HookSyscall, HookRawTracepoint,
                          HookTracepoint, HookUprobe, HookFunction, HookIterator, HookWatch>;

// The five triples of a provider (providers.md 1.2).
struct ProviderAttributes {
  Attributes provider, module, function, name, args;
};

// A hook of a probe that is made of another probe, in D: the compiler types and emits it like the program around it.
struct Derivation {
  // A clause on the other probe. Its predicate tells which of the firings count; its statements are expressions, the
  // arguments args[0]... of the probe. `raw, typed` is an argument whose argN is another thing than its args[n].
  std::string clause;
  // Of several on one firing of the kernel's hook, lower ones come first; other probes have `default_order`.
  static constexpr uint32_t default_order = 100;
  uint32_t order = default_order;
  // The argument of the other probe that is the thread this one is about, if that is not the running one: pid,
  // execname, curthread and self-> are that thread's.
  std::optional<uint32_t> subject;
};

// One of several places a probe hangs on.
struct ProbeSite {
  Hook hook;
  std::vector<ArgSource> raw_args;
};

struct Probe {
  uint32_t id = 0;  // dense, from 1; fixed for the session
  std::string provider, module, function, name;
  std::string readable_function;        // another name that descriptions may have for it: the demangled one
  Hook hook;                            // unless there are `derivations`
  std::vector<ProbeSite> sites;         // if there are any: instead of `hook` and `raw_args`
  std::vector<Derivation> derivations;  // all of them fire the probe
  // Clauses in D on other probes that remember what the derivations need to know later. They run behind what is derived
  // from the same firing.
  std::vector<std::string> preparations;
  std::vector<ArgSource> raw_args;  // arg0, arg1...: absent ones read 0
  bool is_available = true;         // false: it is listed, but nothing on this machine can fire it
  bool args_loaded = false;         // `args` is filled by Host::load_args
  bool has_typed_args = false;
  std::vector<ProbeArg> args;
};

struct ProbeDescription {
  std::optional<uint32_t> id;
  std::string provider, module, function, name;  // glob patterns; empty matches all
  bool is_solaris_mode = false;                  // names of system calls are those of Solaris
  bool is_of_listing = false;                    // means also what clauses get only by the name of its provider
};
// What is wrong with a description beyond that it matches nothing.
struct ProbeMistake {
  Tag tag{};
  std::string message;
};

// "prov:mod:func:name"
std::string to_string(const ProbeDescription& description);

// ---------------------------------------------------------------- machine

// A kernel symbol named by `sym.
struct KernelSymbol {
  uint64_t address = 0;
  std::optional<TypeId> type;  // from BTF VAR or FUNC if described
};

// Facilities the emitter may use; found by trying, never by version.
struct MachineFacts {
  bool has_raw_tp_cookie = true;  // bpf_get_attach_cookie in raw tracepoints (6.10+)
  bool has_cpu_v4 = true;         // -mcpu=v4 instructions (6.6+)
  // Uprobes of a process do not fire for others that share its memory, as after vfork(2) (6.10+)
  bool has_exact_uprobe_pids = true;
  bool has_task_pt_regs = true;     // bpf_task_pt_regs helper
  uint32_t cpu_count = 1;           // possible CPUs: per-CPU maps have that many values
  uint32_t max_stack_frames = 127;  // kernel.perf_event_max_stack
  uint32_t hertz = 250;             // ticks of the kernel's clock in a second
  uint32_t online_cpu_count = 1;
  uint64_t page_size = 4096;  // bytes
  uint64_t page_count = 0;    // of all memory
  // The namespace whose numbers processes have for us: device and inode of /proc/self/ns/pid. 0: the kernel's own.
  uint64_t pid_namespace_device = 0, pid_namespace = 0;
  std::string kernel_release;
  std::string kernel_banner;  // what /proc/version says, without the new line
};

// The mechanisms by which this machine can trace kernel functions.
struct FunctionMechanisms {
  bool has_trampoline = false, has_multi = false, has_kprobe = false;
  bool has_any() const { return has_trampoline || has_multi || has_kprobe; }
};

// A CPU, for curcpu and its like. -1: the machine does not say.
struct CpuFacts {
  int32_t package = 0;
  int32_t node = 0;
  int32_t megahertz = 0;
};

// Where the kernel's structs have what leads to memory; bytes.
struct MemoryOffsets {
  uint32_t task_memory = 0, mm_tables = 0;                    // task_struct.mm, mm_struct.pgd
  uint32_t task_files = 0, files_table = 0, table_files = 0;  // task_struct.files, files_struct.fdt, fdtable.fd
  uint32_t file_mapping = 0, mapping_pages = 0;               // file.f_mapping, address_space.i_pages.xa_head
  uint32_t page_bytes = 0;                                    // of struct page
};
// All of the machine's memory as the kernel has it: ds_memory_layout of codegen/bpf/support.h.
struct PhysicalMemory {
  uint64_t direct_map = 0, page_structs = 0;
  uint64_t frame_mask = 0;
  uint32_t top_shift = 0;
};

enum class WordSize : uint8_t { Bits32, Bits64 };

// What the code of a function tells. Offsets count from its first byte.
struct CodeOutline {
  std::vector<uint32_t> starts;  // of its instructions; empty if they cannot be told apart: then nothing else is known
  struct Exit {
    uint32_t offset;                // of the instruction that leaves the function
    std::optional<int64_t> target;  // of a jump; nothing: it returns
  };
  std::vector<Exit> exits;
  // Jumps to where registers say, which may be in the function or out of it, and conditional ones out of it: that such
  // an instruction is executed does not tell that the function is left.
  bool has_unclear_exits = false;
  std::vector<uint32_t> jumps_by_register;  // the former of these
  // Where a probe of the function's beginning belongs: behind marks of jump targets, and behind vector instructions,
  // which kernels cannot execute out of their place; the registers of arguments and the stack are still as they were.
  uint32_t beginning = 0;
};
// codegen/core/instructions.h. Null where nobody can read code: then there are no probes of instructions.
using ReadCode = CodeOutline (*)(std::span<const uint8_t> code, WordSize word_size);
// A name of C++ or Rust as its programmer wrote it, without parameters; any other as it is (codegen/core/demangle.h).
using Demangle = std::string (*)(std::string_view name);

// What the compiler's side can do for providers of user programs' probes, and what it knows of targets.
struct ProcessTools {
  ReadCode read_code = nullptr;
  Demangle demangle = nullptr;
  Demangle demangle_whole = nullptr;  // with parameters
  bool uretprobes = false;            // return probes change return addresses, even where a function's exits are known
  // Processes are looked at again when they have executed another program or loaded a library: what one of them throws
  // is not known before, and what is known of a function must not depend on it.
  bool looks_again = false;
  std::vector<uint32_t> targets;  // the processes of -c and -p
};

class Host {
 public:
  virtual ~Host() = default;

  // The descriptions of each clause of the user's programs, before any of them is matched. Names may depend on all:
  // with compat=solaris a system call has one in a script.
  virtual void announce(const std::vector<std::vector<ProbeDescription>>& /*clauses*/) {}
  // All probes matching, ascending by id; creates on-demand ones (profile-4711). Pointers stay valid for the Host's
  // life. Empty: nothing matches.
  virtual std::vector<const Probe*> match(const ProbeDescription& description) = 0;
  // From now on the description matches nothing: what it may match later has come too late.
  virtual void stop_awaiting(const ProbeDescription&) {}
  // Whether kernel modules that are loaded later may have probes that the description matches.
  virtual bool may_gain_by_modules(const ProbeDescription&) { return false; }
  // Fills probe.args (types into `types`); cheap if done before.
  virtual void load_args(const Probe& probe, TypeTable& types) = 0;
  virtual ProviderAttributes provider_attributes(std::string_view provider) = 0;
  // Asked when nothing matches.
  virtual std::optional<ProbeMistake> mistake(const ProbeDescription&) { return std::nullopt; }
  // Whether that module is part of the running kernel, loaded or built in.
  virtual bool has_module(std::string_view name) {
    ProbeDescription description;
    description.module = name;
    return !match(description).empty();
  }
  // Why a provider or probe of that name is missing here, for D_PDESC_ZERO hints; empty if nothing is known.
  virtual std::string why_missing(const ProbeDescription& description) = 0;
  // A sentence for each probe that the description would match if this kernel could fire it: its name, what is lacking.
  virtual std::vector<std::string> absent(const ProbeDescription&) { return {}; }

  // Kernel type by C name: "struct task_struct", "enum pid_type", "pid_t". module: empty or "vmlinux" or a module, or a
  // process and perhaps an object of it, "pid123" or "pid123`libc.so.6": then the type as that process has it.
  virtual std::optional<TypeId> find_type(TypeTable& types, std::string_view module, std::string_view name) = 0;
  // The name of a type of the same kind that looks like `name`, for hints; empty if none does.
  virtual std::string nearest_type(std::string_view /*name*/) { return {}; }
  // Why `module` had no such type, for hints; empty if nothing is known.
  virtual std::string why_no_type(std::string_view /*module*/) { return {}; }
  // The name of a kernel symbol that looks like `name`, for hints; empty if none does.
  virtual std::string nearest_symbol(std::string_view /*name*/) { return {}; }
  // Fills in members/enumerators of an imported type whose is_complete is false.
  virtual void complete_type(TypeTable& types, TypeId id) = 0;
  virtual std::optional<KernelSymbol> find_symbol(TypeTable& types, std::string_view module, std::string_view name) = 0;
  virtual const MachineFacts& facts() = 0;
  // Asked only for programs that trace kernel functions.
  virtual FunctionMechanisms function_mechanisms() { return {}; }
  // Asked only for programs that read user memory. Nothing: it is found by page tables only.
  virtual std::optional<PhysicalMemory> physical_memory(const MemoryOffsets&) { return std::nullopt; }
  // All possible CPUs by number.
  virtual std::vector<CpuFacts> cpus() = 0;
  // Names of the drivers of block devices, by major number.
  virtual std::map<uint32_t, std::string> block_drivers() { return {}; }
};

// Minimum over the provider's triple and that of each field that names something; Unstable/Unstable/Common if the
// provider is unknown, empty or a pattern.
Attributes description_attributes(Host& host, const ProbeDescription& description);

// The one place where member offsets of kernel types come from, so that a later ahead-of-time mode can relocate.
struct MemberPlace {
  TypeId type;
  uint64_t bit_offset = 0;
  uint32_t bit_size = 0;  // 0: not a bit-field
  bool within_union = false;
};
// Looks through unnamed members; completes types on the way. Nothing if there is no such member.
std::optional<MemberPlace> find_member(Host& host, TypeTable& types, TypeId struct_or_union, std::string_view name);

}  // namespace dscope
