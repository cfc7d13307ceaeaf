// Probes, with the hooks that fire each probe and the sources of its arguments, and the descriptions by which D
// programs name probes. Plain data that the Host creates and owns.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "catalog/dialect.h"
#include "catalog/stability.h"
#include "contract/hook.h"
#include "contract/types/traced_variable.h"
#include "contract/types/type.h"

namespace dscope {

// The source of argN of a firing, from which codegen emits the read (providers.md 1.10).
enum class ArgSourceKind : uint8_t {
  Zero,            // reads 0
  CtxSlot,         // 64-bit word `index` of the BPF context (raw tracepoint arguments)
  SyscallArg,      // register of system call argument `index`, from the task's pt_regs
  SyscallReturn,   // return value of the system call (ctx word 1 of sys_exit)
  RecordField,     // field of a tracepoint record at `offset`, `size` bytes, `is_signed`
  RecordAddress,   // address of the record's byte `offset` (array fields)
  RecordDataLoc,   // record address + low 16 bits of the u32 at `offset` (__data_loc)
  RecordRelLoc,    // the same, relative to the end of that u32 (__rel_loc)
  KernelPc,        // pc of the interrupted kernel code, 0 if the CPU was in user mode (perf events)
  UserPc,          // pc of the interrupted user code, 0 if the CPU was in kernel mode
  Lateness,        // nanoseconds since the timer was due (perf events of a clock)
  EventAddress,    // address that a perf event reports: of a page fault, of watched memory
  Constant,        // `offset` is the value
  Register,        // register at byte `offset` of struct pt_regs, the context of uprobes
  StackWord,       // user memory at stack pointer + `offset`, `size` bytes
  HookDetail,      // HookUprobe::detail of the instruction that fired
  UserMemory,      // user memory at register `base` + register `index` * `scale` + `offset`; scale 0: no index
  RegisterPair,    // an object of up to 16 bytes: the registers at `offset` and at `base` of struct pt_regs
  VectorRegister,  // a floating-point number: BPF programs cannot read it
  FunctionArg,     // word `index` of the arguments of a kernel function
  FunctionResult,  // result of a kernel function, `size` bytes, `is_signed`
};

struct ArgSource {
  ArgSourceKind kind = ArgSourceKind::Zero;
  uint32_t index = 0;
  int64_t offset = 0;  // bytes
  uint32_t size = 8;   // bytes
  bool is_signed = false;
  uint32_t base = 0, scale = 0;
  bool operator==(const ArgSource&) const = default;
};

// args[n]: a typed view of an ArgSource.
struct ProbeArg {
  std::string type_text;  // C spelling, for -lv: "struct task_struct *"
  TypeId type;            // in the TypeTable passed to Host::load_args; the error type if unknown
  std::string name;       // parameter or field name, may be empty
  ArgSource source;
  // D type to which a translator converts args[n] from `type`: "psinfo_t *"; empty: no translator applies.
  std::string translated_text;
};

// The five triples of a provider (providers.md 1.2).
struct ProviderAttributes {
  Attributes provider, module, function, name, args;
};

// Derives a probe from another probe, in D. The compiler types and emits the derivation as a part of the program.
struct Derivation {
  // A clause on the other probe. Its predicate selects the firings; its statements are expressions, the arguments
  // args[0]... of the derived probe. In `raw, typed` argN is the first expression and args[n] the second.
  std::string clause;
  // Derivations from the same firing of a hook run in this order, lowest first; other probes have `default_order`.
  static constexpr uint32_t default_order = 100;
  uint32_t order = default_order;
  // Index of the other probe's argument that is the derived probe's thread, if that is not the running thread: pid,
  // execname, curthread and self-> are that thread's.
  std::optional<uint32_t> subject;
};

// One of the hooks of a probe that has several.
struct ProbeSite {
  Hook hook;
  std::vector<ArgSource> raw_args;
};

// Probes that never fire and exist only so that scripts for Solaris compile.
enum class Stub : uint8_t {
  None,      // a probe that fires
  Unfired,   // never fires on Linux: dscope warns users that the script prints zeros
  Replaced,  // its system call has another name in this script
};

struct Probe {
  uint32_t id = 0;  // dense, from 1; fixed for the session
  std::string provider, module, function, name;
  std::string readable_function;        // demangled name, which descriptions may also use; empty: none
  Hook hook;                            // unused if there are `sites` or `derivations`
  std::vector<ProbeSite> sites;         // if not empty: replace `hook` and `raw_args`
  std::vector<Derivation> derivations;  // each of them fires the probe
  // D clauses on other probes that save data for the derivations. They run after the derivations from the same firing.
  std::vector<std::string> preparations;
  std::vector<ArgSource> raw_args;  // arg0, arg1...: absent ones read 0
  Stub stub = Stub::None;
  bool is_available = true;  // false: the probe is listed, but nothing on this machine can fire it
  bool args_loaded = false;  // Host::load_args has filled `args`
  bool has_typed_args = false;
  bool is_system_call = false;       // a system call is entered or returns
  bool is_process_function = false;  // a function of a process is entered or returns
  bool may_lack_pages = false;       // the clause may be the first to read its user memory: at system calls, in exec
  std::vector<ProbeArg> args;
  // Those that Host::load_variables and Host::find_variable have found: variables of the traced program by name.
  std::vector<TracedVariable> variables;
};

// Whether the probe is BEGIN, END or ERROR, as `role` says.
inline bool has_role(const Probe& probe, HookTestRun::Role role) {
  const auto* hook = std::get_if<HookTestRun>(&probe.hook);
  return hook != nullptr && hook->role == role;
}

struct ProbeDescription {
  std::optional<uint32_t> id;
  std::string provider, module, function, name;  // glob patterns; empty matches all
  Dialect dialect;
  // For -l: also matches probes that clauses match only if they name the provider.
  bool is_for_listing = false;
};

// "prov:mod:func:name"
std::string to_string(const ProbeDescription& description);

}  // namespace dscope
