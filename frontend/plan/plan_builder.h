// build_plan(): checked program -> ProgramPlan (what the runtime needs) and Layout (what only the emitter needs, to
// find for an AST node the piece of the plan it fills). All sizes, offsets, map shapes and the grouping of probes into
// BPF programs are decided here and nowhere else.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "contract/kernel_layouts.h"
#include "contract/program_plan.h"
#include "contract/record_format.h"
#include "frontend/semantics/machine_tables.h"
#include "frontend/semantics/semantics.h"
#include "frontend/semantics/string_bound.h"

namespace dscope {

// Where a D variable lives (design.md 6).
struct VariablePlace {
  enum class Kind : uint8_t {
    Globals,  // at `offset` of map ds_globals
    Task,     // at `offset` of the thread's storage in ds_task
    Local,    // this-> scalars: a register or stack slot of the program
    Scratch,  // this-> strings and objects, and scalars shared by outlined clauses: at `offset` of the scratch slot
    Map,      // associative array: hash `map`
    Nowhere,  // used only by code that never runs
  } kind{};
  uint32_t offset = 0;
  uint32_t size = 0;  // bytes of the value, multiple of 8; with the last word of strings and objects (present or not)
  std::string map;
  std::vector<Field> keys;  // Map: layout of the key; self-> arrays have the thread id before them
  uint32_t key_size = 0;
  uint32_t map_value_size = 0;     // of the map: more than `size` if it is shared
  std::optional<uint32_t> number;  // Map, if it is shared: the last word of the key
};

// What is kept of the stacks of a thread that gives up its CPU, for a probe about the thread that gets it: when that
// one runs again, nobody but itself could read its memory, and of its kernel stack Linux does not tell the scheduler's
// part.
struct KeptStack {
  uint32_t frames = 0;         // of its program; 0: nothing is kept
  bool has_copy = false;       // as Field::has_copy
  uint32_t kernel_frames = 0;  // 0: nothing is kept
  bool is_empty() const { return frames == 0 && kernel_frames == 0; }
};

// One BPF program: which rows it serves and which clauses run for each.
struct ProgramLayout {
  std::vector<uint32_t> rows;                // indices into ProgramPlan::probes
  std::vector<std::vector<uint32_t>> lists;  // distinct ordered lists of clause numbers
  std::vector<uint32_t> list_of_row;         // parallel to rows
  std::vector<HookSyscall> calls;            // parallel to rows; only programs with RowSource::Table
  std::vector<ArgSource> raw_args;           // arg0...; the same for all rows
  const DerivedProbe* derived = nullptr;     // gives the arguments instead, and tells whether the probe fires
  uint32_t expected_activity = 1;            // DS_ACTIVITY_ in which the clauses may run
  // Kernel code between the probe and its program, [begin, end): not part of what `caller` and `stackdepth` tell.
  std::vector<std::pair<uint64_t, uint64_t>> tracer_code;
  uint32_t only_process = 0;  // uprobes that the kernel does not keep to this process; 0: it does
  uint32_t family = 0;        // uprobes of all processes, of which this one and its children count; 0: all do
  UprobePlace place{};        // of uprobes; the same for all of them
  KeptStack kept_stack;       // before the clauses run
  bool is_syscall = false;
  bool is_return = false;
  bool outlines_clauses = false;  // many clauses on one probe: each is a function of its own
};

struct Layout {
  std::vector<VariablePlace> variables;  // by VariableId
  // By clause number: node index of an action call -> index into ClausePlan::actions.
  std::vector<std::unordered_map<uint32_t, uint32_t>> action_of_node;
  // The same of aggregating statements -> index into ClausePlan::updates.
  std::vector<std::unordered_map<uint32_t, uint32_t>> update_of_node;
  // The same of keys of aggregations -> index into Field::variants.
  std::vector<std::unordered_map<uint32_t, uint32_t>> variant_of_key;
  std::vector<ProgramLayout> programs;   // parallel to ProgramPlan::programs
  std::vector<uint32_t> error_clauses;   // clause numbers of dtrace:::ERROR, in order
  std::vector<const Probe*> row_probes;  // parallel to ProgramPlan::probes
  bool outlines_clauses = false;         // some probe has many clauses: this-> scalars are in the scratch slot
  uint32_t scratch_reserved = 8;         // bytes of a scratch slot taken by its claim word and this-> objects
  uint32_t task_size = 0;                // bytes of ds_task's value
  KeptStack kept_stack;                  // the most any program keeps in ds_stacks
  uint32_t globals_size = 0;             // bytes of ds_globals' value
  uint64_t pid_namespace_device = 0, pid_namespace = 0;  // as in MachineFacts
  // strtok() keeps its string and where it is in it in the scratch slot: 8 bytes of position + 1 (0: no string yet),
  // then the string. 0: not used.
  uint32_t strtok_offset = 0;
  // With a dynvarsize below the usual one, thread-locals and elements of arrays are counted, in a word of ds_globals at
  // `dynamic_count`, and there are never more of them than this. 0: not counted.
  uint64_t dynamic_limit = 0;
  uint32_t dynamic_count = 0;
  uint32_t cpu_count = 1;  // possible CPUs
};

// A member of struct task_struct that a built-in variable reads, found in the running kernel's BTF. `path` is dotted,
// `offset` counts from the object the previous step gave; size 0: an embedded struct, whose members follow.
struct TaskMember {
  std::string path;
  uint64_t offset = 0;
  uint32_t size = 0;
  bool is_pointer = false;
};

// Where a member of a kernel type lies, for the subroutines that look at locks: "struct mutex.owner", in bytes.
struct ObjectMember {
  std::string path;
  uint64_t offset = 0;
};
// Members of struct task_struct that lead to such a register; empty: it is in struct pt_regs.
const std::vector<const char*>& user_register_path(uint32_t index);

struct CompiledPlan {
  ProgramPlan plan;
  Layout layout;
  std::vector<TaskMember> task_members;
  std::vector<ObjectMember> object_members;
  // Layouts of kernel objects, if the program uses them.
  std::optional<ds_route_layout> route_layout;
  std::optional<ds_path_layout> path_layout;
  std::optional<ds_memory_layout> memory_layout;  // also absent if the kernel lacks a member: page tables only
  // __cpuinfo(): objects of type cpuinfo_t, from CPU -1 on, each in `cpu_table_row` bytes.
  std::string cpu_table;
  uint32_t cpu_table_row = 0;
  std::string driver_table;  // __blockdriver(): names, each in block_driver_row() bytes, by major number
};

// Asks the host for task members only if a built-in of the program needs them. meaning.types is the one completed.
// `before`: the plan that is being executed, made of the same program with the same host; its rows keep their numbers.
CompiledPlan build_plan(const Semantics& meaning, const OptionValues& options, Host& host,
                        const CompiledPlan* before = nullptr);

constexpr uint32_t max_counted_frames = 127;  // by stackdepth: what the kernel walks unless it is told to walk on
// Frames of a kernel stack that lead from the probe to its program; 3 or 4 were seen.
constexpr uint32_t max_tracer_frames = 6;
constexpr uint32_t frames_to_caller = max_tracer_frames + 2;

// What ds_stacks has before the user stack: the size of the kernel's and its frames.
constexpr uint32_t kept_kernel_bytes(const KeptStack& kept) {
  return kept.kernel_frames != 0 ? 8 + kept.kernel_frames * 8 : 0;
}

// How many ids speculation() has to give: option nspec.
inline uint32_t speculation_count(const OptionValues& options) {
  return static_cast<uint32_t>(std::clamp<int64_t>(options.number(OptionId::Nspec), 0, DS_MAX_SPECULATIONS));
}

constexpr uint32_t round_up8(uint32_t bytes) { return (bytes + 7) & ~7U; }

// Bytes a field takes in a record or key: strings and objects are padded to words, as they are copied and compared so.
inline uint32_t field_room(const Field& field) {
  bool is_word_part = field.kind == FieldKind::Integer || field.kind == FieldKind::ProbeName;
  return is_word_part ? field.size : round_up8(field.size);
}

// Bytes of storage of one string variable: characters and terminator, padded to a multiple of 8, then a word that is
// tells a string from NULL (Emitter::string_mark).
uint32_t string_storage_size(const TypeTable& types);

}  // namespace dscope
