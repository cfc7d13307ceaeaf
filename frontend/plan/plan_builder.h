// build_plan(): turns a checked program into the ProgramPlan for the runtime and the Layout for the emitter. The Layout
// maps an AST node to the part of the plan that its code fills. Only this folder decides sizes, offsets, map shapes and
// the grouping of probes into BPF programs.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "arch/architecture.h"
#include "contract/kernel_layouts.h"
#include "contract/program_plan.h"
#include "contract/record_format.h"
#include "frontend/semantics/machine_tables.h"
#include "frontend/semantics/semantics.h"
#include "frontend/semantics/string_bound.h"

namespace dscope {

class Host;

// The storage of a D variable (design.md 6).
struct VariableLocation {
  enum class Kind : uint8_t {
    Globals,  // at `offset` of map ds_globals
    Task,     // at `offset` of the thread's storage in ds_task
    Local,    // this-> scalars: a register or stack slot of the program
    Scratch,  // this-> strings and objects, and scalars shared by outlined clauses: at `offset` of the scratch slot
    Map,      // associative array, or a self-> variable that follows goroutines: hash `map`
    Nowhere,  // no storage: only code that never runs uses the variable
  } kind{};
  uint32_t offset = 0;
  uint32_t size = 0;  // bytes of the value, a multiple of 8; the last word of strings and objects marks them as present
  std::string map;
  std::vector<Field> keys;  // Map: layout of the key; of self-> variables after the thread id, or process and goroutine
  uint32_t key_size = 0;
  uint32_t map_value_size = 0;     // of the map: larger than `size` if several variables share it
  std::optional<uint32_t> number;  // in a shared map: the variable's number, which is the last word of the key
};

// The part of its stacks that a thread saves in ds_stacks when it gives up its CPU. A probe about that thread reads it
// when the thread runs again: at that time no program can read its user memory yet, and Linux walks its kernel stack
// without the scheduler's frames.
struct SavedStack {
  uint32_t frames = 0;         // of the user stack; 0: not saved
  bool has_copy = false;       // as Field::has_copy
  uint32_t kernel_frames = 0;  // of the kernel stack; 0: not saved
  bool is_empty() const { return frames == 0 && kernel_frames == 0; }
};

// A variable of the traced program at the hook of a BPF program.
struct PlacedVariable {
  uint32_t name = 0;  // index into Semantics::traced_names
  VariablePlace place;
  bool is_in_memory = false;  // as TracedVariable::is_in_memory(), for all hooks of the probe
};
// Describes the variable completely: equal texts mean equal code.
std::string place_text(const PlacedVariable& variable);

// One BPF program: the rows of ProgramPlan::probes that it serves, the clauses that run for each row, and the sources
// of the probes' arguments.
struct ProgramLayout {
  std::vector<uint32_t> rows;                // indices into ProgramPlan::probes
  std::vector<std::vector<uint32_t>> lists;  // distinct ordered lists of clause numbers
  std::vector<uint32_t> list_of_row;         // parallel to rows
  std::vector<HookSyscall> calls;            // parallel to rows; only programs with RowSource::Table
  std::vector<ArgSource> raw_args;           // arg0...; equal for all rows
  std::vector<PlacedVariable> variables;     // that the clauses use
  const DerivedProbe* derived = nullptr;     // replaces raw_args and decides whether the probe fires
  uint32_t expected_activity = 1;            // the DS_ACTIVITY_ in which the clauses may run
  // Kernel code between the probe and its program, [begin, end): `caller` and `stackdepth` skip it.
  std::vector<std::pair<uint64_t, uint64_t>> tracer_code;
  uint32_t only_process = 0;  // uprobes: the pid that the program compares, because the kernel does not; 0: no test
  uint32_t family = 0;        // uprobes: run only for this process and its descendants; 0: for all processes
  UprobePosition position{};  // of all its uprobes
  SavedStack saved_stack;     // saved before the clauses run
  bool is_syscall = false;
  bool is_return = false;
  bool outlines_clauses = false;  // each clause is a separate function, because some probe has many clauses
};

// Facts that the emitter needs beyond the ProgramPlan.
struct Layout {
  std::vector<VariableLocation> variables;  // by VariableId
  // By clause number: node index of an action call -> index into ClausePlan::actions.
  std::vector<std::unordered_map<uint32_t, uint32_t>> action_of_node;
  // Node index of an aggregating statement -> index into ClausePlan::updates.
  std::vector<std::unordered_map<uint32_t, uint32_t>> update_of_node;
  // Node index of an aggregation's key -> index into Field::variants.
  std::vector<std::unordered_map<uint32_t, uint32_t>> variant_of_key;
  std::vector<ProgramLayout> programs;   // parallel to ProgramPlan::programs
  std::vector<uint32_t> error_clauses;   // clause numbers of dtrace:::ERROR, in order
  std::vector<const Probe*> row_probes;  // parallel to ProgramPlan::probes
  bool outlines_clauses = false;         // as in ProgramLayout; this-> scalars are then in the scratch slot
  uint32_t scratch_reserved = 8;         // bytes of a scratch slot for its claim word and this-> objects
  uint32_t task_size = 0;                // bytes of ds_task's value
  SavedStack saved_stack;                // the maximum over all programs: the value of ds_stacks
  uint32_t globals_size = 0;             // bytes of ds_globals' value
  uint64_t pid_namespace_device = 0, pid_namespace = 0;  // as in MachineFacts
  // The state of strtok() in the scratch slot: 8 bytes of position + 1 (0: no string yet), then the string. 0: unused.
  uint32_t strtok_offset = 0;
  // The maximum number of thread-locals and array elements if dynvarsize is below its default; a word of ds_globals at
  // `dynamic_count` counts them. 0: not counted.
  uint64_t dynamic_limit = 0;
  uint32_t dynamic_count = 0;
  uint32_t cpu_count = 1;  // possible CPUs
  // If the scratch slots are in an ordinary array: CPUs of equal number modulo this power of two share slots. At least
  // the number of online CPUs, so that CPUs that are added later share slots, and others need not.
  uint32_t scratch_groups = 1;
  const Architecture* architecture = &native_architecture();
};

// A member of struct task_struct that a built-in variable reads, from the running kernel's BTF. `path` is dotted.
// `offset` is relative to the object of the previous step. Size 0 is an embedded struct, whose members follow.
struct TaskMember {
  std::string path;
  uint64_t offset = 0;
  uint32_t size = 0;
  bool is_pointer = false;
};
// Paths of members that no row of variables.def names.
namespace task_path {
inline constexpr std::string_view process_id = "tgid", thread_id = "pid", name = "comm", uid = "real_cred.uid.val",
                                  gid = "real_cred.gid.val";
}  // namespace task_path

// A member of a kernel type that a subroutine or action reads: "struct mutex.owner".
struct ObjectMember {
  std::string path;
  uint64_t offset = 0;  // bytes
};
// Returns the dotted path from struct task_struct to the register uregs[index]; empty if the register is in struct
// pt_regs.
std::string_view user_register_path(const Architecture& architecture, uint32_t index);

// The result of plan building, with the data about this machine that the emitted code needs.
struct CompiledPlan {
  ProgramPlan plan;
  Layout layout;
  std::vector<TaskMember> task_members;
  std::vector<ObjectMember> object_members;
  // Layouts of kernel objects, if the program uses them.
  std::optional<ds_route_layout> route_layout;
  std::optional<ds_path_layout> path_layout;
  std::optional<ds_memory_layout> memory_layout;  // also absent if the kernel lacks a member: page tables only
  // __cpuinfo(): objects of type cpuinfo_t from CPU -1 on, each `cpu_table_row` bytes.
  std::string cpu_table;
  uint32_t cpu_table_row = 0;
  std::string driver_table;  // __blockdriver(): names by major number, each block_driver_row() bytes
};

// Asks the host for task members only if a built-in of the program needs them. Completes types in meaning.types.
// `before`: the running plan of the same program on the same host, whose rows keep their numbers.
CompiledPlan build_plan(const Semantics& meaning, const OptionValues& options, Host& host,
                        const CompiledPlan* before = nullptr);

constexpr uint32_t max_counted_frames = 127;  // the limit of stackdepth: the kernel's default limit
// Frames of a kernel stack between the probe and its program; 3 or 4 were observed.
constexpr uint32_t max_tracer_frames = 6;
constexpr uint32_t frames_to_caller = max_tracer_frames + 2;

// Bytes of ds_stacks before the user stack: the size of the kernel stack and its frames.
constexpr uint32_t saved_kernel_bytes(const SavedStack& saved) {
  return saved.kernel_frames != 0 ? 8 + saved.kernel_frames * 8 : 0;
}

// The number of speculation ids: option nspec.
inline uint32_t speculation_count(const OptionValues& options) {
  return static_cast<uint32_t>(std::clamp<int64_t>(options.number(OptionId::Nspec), 0, DS_MAX_SPECULATIONS));
}

constexpr uint32_t round_up8(uint32_t bytes) { return (bytes + 7) & ~7U; }

// Returns the size of a field in a record or key. Strings and objects are padded to words, because programs copy and
// compare them by words.
inline uint32_t field_room(const Field& field) {
  bool is_word_part = field.kind == FieldKind::Integer || field.kind == FieldKind::ProbeName;
  return is_word_part ? field.size : round_up8(field.size);
}

// Returns the size of a string variable: characters and terminator, padded to a multiple of 8, then a word that
// distinguishes a string from NULL.
uint32_t string_storage_size(const TypeTable& types);

}  // namespace dscope
