// ProgramPlan: all data of a compiled D program that the runtime needs besides the BPF object: maps, programs and their
// attachments, record layouts, formats, aggregations. It consists of plain values, so that a process without a compiler
// can store and reload it. frontend/plan/plan_builder creates it; codegen (layouts) and runtime read it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "catalog/catalog.h"
#include "catalog/option_values.h"
#include "contract/hook.h"
#include "contract/interval_mark.h"
#include "contract/percentile.h"
#include "contract/probe_part.h"
#include "contract/types/printed_type.h"
#include "contract/types/type.h"

namespace dscope {

// ---------------------------------------------------------------- data in records and keys

enum class FieldKind : uint8_t {
  Integer,     // size 1, 2, 4, 8; is_signed. Pointers are unsigned integers of 8
  String,      // `size` bytes, ends at the first NUL (or at size)
  Bytes,       // opaque object: arrays, structs
  Stack,       // kernel pcs, 8 bytes each, zero-terminated unless full: size / 8 frames
  UserStack,   // 8 bytes tgid, then user pcs
  KernelAddr,  // 8 bytes; `symbol` selects how it prints (Sym, Func, Mod)
  UserAddr,    // 8 bytes tgid, 8 bytes address; `symbol`: Usym, Ufunc, Umod, Uaddr
  ProbeName,   // 4 bytes: a probe row; `probe_part` selects the text that prints
  Container,   // 8 bytes: the id of a cgroup; `container_part` selects the name that prints
};

// Whether values are numbers that stand for texts.
constexpr bool is_numbered_text(FieldKind kind) { return kind == FieldKind::ProbeName || kind == FieldKind::Container; }

struct Field {
  FieldKind kind = FieldKind::Integer;
  uint32_t offset = 0;  // bytes from the start of the record (header included) or of the key
  uint32_t size = 0;    // bytes
  bool is_signed = false;
  bool is_char_array = false;  // Bytes that are a char array (prints as text with %s)
  ProbePart probe_part{};
  ContainerPart container_part{};
  Action symbol = Action::Sym;
  // Stacks: prints at most this many frames; 0: all. More are recorded, because leading tracer frames are dropped.
  uint32_t frames = 0;
  bool has_copy = false;      // user stacks: registers and the top of the stack follow (record_format.h)
  int32_t printed_type = -1;  // index into ProgramPlan::printed_types, for print() and %s; -1: none
  std::string type;           // C spelling, for --dump=plan and structured output
  // For keys whose kind differs between statements: stacks of different depths, of kernel or process, symbols and
  // modules. The field begins with a word, the index of the variant that follows. Empty: the key has one kind.
  std::vector<Field> variants;
};

// Resolves aliases: func() is sym(), and ufunc() is usym().
Action printed_as(Action symbol);

// ---------------------------------------------------------------- formats

inline constexpr uint32_t max_printed_width = 65535;  // and precision: larger ones would only exhaust memory

// One conversion of a printf/printa format with the literal text before it.
struct FormatPiece {
  std::string literal;  // already unescaped; printed before the conversion
  char conversion = 0;  // 0: no conversion (trailing text); else d i u o x X c C e f g E G p s S a A k T Y %
  bool alternate = false, zero_pad = false, left = false, plus = false, thousands = false, space = false;
  uint32_t width = 0;                          // 0: none
  uint32_t precision = 0;                      // 0: none (precision 0 means no precision in D)
  int32_t width_field = -1;                    // index of the field that holds the width ('*'), or -1
  int32_t precision_field = -1;                // index of the field that holds the precision, or -1
  int32_t field = -1;                          // field that is printed; in printa: index of a key
  bool is_wide = false;                        // %ls %ws %lc %wc
  bool is_aggregation_value = false;           // %@
  std::optional<PercentileNumber> percentile;  // %@p99
};
struct FormatPlan {
  std::string text;  // as written
  std::vector<FormatPiece> pieces;
};

// ---------------------------------------------------------------- clauses

// One recording action of a clause, in source order.
struct ActionPlan {
  Action action{};
  std::vector<Field> fields;           // values in the record
  int32_t format = -1;                 // index into ProgramPlan::formats (printf, printa with format, system ...)
  std::vector<uint32_t> aggregations;  // ids, for printa clear trunc normalize denormalize
  // Offset of the byte in the record that is 1 if an action inside if/else or ?: ran. 0: the action always runs.
  uint32_t ran_offset = 0;
  // The names of the values, parallel to `fields`; "" for string constants. Set only for CSV or with rowstamps.
  std::vector<std::string> columns;
  // Bytes of the record up to and including this action, as the option specsize counts them: the header has 16 bytes,
  // and nothing is filled up to words (consumer-and-actions.md 6).
  uint32_t counted_end = 0;
};

// An aggregating statement whose element only the consumer can find (AggregationPlan::is_recorded). The record holds
// the keys and the data words of an element that only this statement updated.
struct UpdatePlan {
  uint32_t aggregation = 0;        // id
  std::vector<Field> fields;       // the aggregation's keys, stacks with copies; then the data words
  std::vector<uint32_t> variants;  // parallel to the aggregation's keys: index into Field::variants
  uint32_t ran_offset = 0;         // as in ActionPlan
};

// A clause typed for one probe description; dtrace-utils names it dt_clause_<number>.
struct ClausePlan {
  uint32_t number = 0;      // index in ProgramPlan::clauses
  std::string description;  // "syscall::read:entry" in four-field form
  std::string function;     // symbol of the clause in the BPF object
  bool has_record = false;  // prints a row
  bool is_error_clause = false;
  uint32_t record_size = 0;  // header included, multiple of 8
  std::vector<ActionPlan> actions;
  std::vector<UpdatePlan> updates;

  // True also for actions that print nothing themselves, such as clear(), and for updates.
  bool sends_records() const { return has_record || !actions.empty() || !updates.empty(); }
  bool can_exit() const {
    for (const ActionPlan& action : actions)
      if (action.action == Action::Exit) return true;
    return false;
  }
};

// A position in the script, for faults and verifier refusals.
struct PlanPosition {
  std::string unit;  // script path or the string
  uint32_t line = 0, column = 0;
  std::string text;           // the source line
  bool reads_kernel = false;  // faults: a read of kernel memory failed here
};

// ---------------------------------------------------------------- aggregations

struct AggregationPlan {
  std::string name;  // "_" for the anonymous one; id = index = order of first appearance
  AggregationFunction function{};
  std::vector<Field> keys;
  // The names of the keys; "" for keys without one. Empty unless the format is CSV or rowstamps is on.
  std::vector<std::string> columns;
  uint32_t key_size = 0;  // bytes, multiple of 8; 0: no keys (per-CPU array of one element)
  // The map is an ordinary hash whose key ends with the CPU number (8 bytes after the key_size bytes), so each CPU has
  // its own elements. Per-CPU hashes lose bursts of new keys (docs/decisions/0007).
  bool is_cpu_in_key = false;
  uint32_t data_words = 1;  // 64-bit words of data per CPU
  // True if one more word follows the data: 0 means unused on that CPU, else generation + 1 of its last update. Set for
  // unkeyed aggregations and for min and max, which clear() cannot reset by subtraction.
  bool has_state_word = false;
  uint32_t value_size = 8;    // bytes per CPU: slot_size(), twice with has_generation
  uint64_t element_size = 8;  // bytes of aggsize that an element uses
  std::string map;            // name of its MapPlan; empty: is_recorded, or only code that never runs updates it
  // Some keys are stack copies (has_copy), which differ each time until the consumer has unwound them. The consumer
  // keeps the elements and updates them from UpdatePlans.
  bool is_recorded = false;
  // Most strings are short, and hashing costs time for every byte. Elements whose last field is a string that ends
  // within the first short_key_size bytes of the key are in this map, keyed by those bytes (and the CPU). Empty: there
  // is no such map (docs/decisions/0020).
  std::string short_map;
  uint32_t short_key_size = 0;
  uint32_t map_key_size = 4;  // bytes of that map's keys and values (on each CPU)
  uint32_t map_value_size = 8;
  // In scripts with very many aggregations, several share a map. `number` is the last word of the key, after zero
  // padding, or the index of the array's element.
  bool shares_map = false;
  uint32_t number = 0;
  // Generation counter of min and max: 8 bytes at this offset of map "ds_globals", incremented by the consumer at each
  // snapshot. Even generations use the first slot of a CPU's value, odd ones the second.
  uint32_t generation_offset = 0;
  bool has_generation = false;
  // lquantize: base, levels, step; llquantize: factor, low magnitude, high magnitude, steps; percentile: the index of
  // the word of value 0.
  int64_t parameters[4] = {};
  std::vector<PercentileNumber> percentiles;  // that percentile() prints
  bool is_value_signed = true;                // false for count (checks of %@)
  uint64_t source_hash = 0;                   // of the texts of the clauses that update it

  uint32_t slot_size() const { return (data_words + (has_state_word ? 1 : 0)) * 8; }
};

// ---------------------------------------------------------------- maps and programs

enum class MapKind : uint8_t { Array, PerCpuArray, Hash, PerCpuHash, RingBuffer, TaskStorage, RingTable, ChunkTable };

struct MapPlan {
  std::string name;  // also the object's undefined symbol for it
  MapKind kind{};
  uint32_t key_size = 0, value_size = 0;
  uint32_t max_entries = 0;  // ring buffers: bytes of each
  bool is_direct = false;    // the symbol is the address of element 0's value, not the map
  bool is_mmapable = false, no_prealloc = false;
  // The option that sets the map's size, and the number of elements that it requests, `max_entries` or more. The loader
  // halves such a map while memory is short.
  std::optional<OptionId> size_option;
  uint64_t requested_entries = 0;
  std::vector<uint8_t> initial;           // content of element 0, empty: zeroes
  uint32_t rings = 0, cpus_per_ring = 0;  // RingTable, an array of ring buffers: see contract/buffers/ring_groups.h
};

// The source of the row of `probes` that fired.
enum class RowSource : uint8_t {
  Constant,  // one probe: compiled in
  Cookie,    // bpf_get_attach_cookie
  Table,     // a table by system call number
};

struct Attachment {
  Hook hook;
  uint64_t cookie = 0;  // probe row when the program's RowSource is Cookie
};

struct BpfProgramPlan {
  std::string symbol;  // function in the object; it is alone in section "prog/<symbol>"
  BpfContext context{};
  RowSource row_source{};
  std::vector<Attachment> attachments;
  std::string name;  // for messages: its first probe description
  // For kernels without cookies in this context: the object refers to the undefined symbol "ds_cookie" as a 64-bit
  // immediate; the loader makes one copy of the program per attachment and patches its cookie in.
  bool cookie_by_copy = false;
  // Raw tracepoints: the verifier knows the types of the arguments (BPF_TRACE_RAW_TP), so that an argument can be
  // passed to helpers that require a task.
  bool has_typed_context = false;
  bool may_sleep = false;  // reads user memory and may fault pages in, as the process itself would
};

struct ProbePlan {
  uint32_t id = 0;
  std::string provider, module, function, name;
  bool is_system_call = false;
  bool is_end = false;  // dtrace:::END: nothing fires after it
};

// One user program (-s, -n ...), for the "matched N probes" notice.
struct UnitPlan {
  bool is_script = false;
  std::string name;  // path, or the string cut at the first of { / ;
  uint32_t matched = 0;
};

// Maps with fixed names: "ds_ring", "ds_state" (struct ds_state), "ds_globals", "ds_counters", "ds_scratch", "ds_task",
// "ds_stacks", "ds_agg_<n>", "ds_array_<n>", "ds_unwind_<part>" (unwind_format.h; chunks are a ChunkTable, an array of
// arrays that the consumer adds). ds_ring, ds_state and ds_counters always exist, the others only if used.
struct ProgramPlan {
  std::vector<UnitPlan> units;
  std::vector<ProbePlan> probes;  // rows
  std::vector<ClausePlan> clauses;
  std::vector<IntervalMark> interval_marks;  // only with rowstamps
  std::vector<FormatPlan> formats;
  std::vector<PrintedType> printed_types;
  std::vector<AggregationPlan> aggregations;
  uint64_t aggregation_budget = 0;  // bytes of all aggregations without aggsize; 0: no limit, or there are none
  std::vector<MapPlan> maps;
  // Number of thread-local variables and array elements that fit in dynvarsize; nullopt: the program has none.
  std::optional<uint64_t> dynamic_capacity;
  std::vector<BpfProgramPlan> programs;
  std::vector<PlanPosition> fault_sites;
  OptionValues options;
  bool is_destructive = false;  // some clause has a destructive action
  bool is_cpu_v4 = true;
};

// The output of codegen: an ELF relocatable for the BPF machine, in memory.
struct BpfObject {
  std::vector<char> bytes;
};

// True if the program records or prints user addresses as symbols (ustack, usym, uaddr, %A and similar).
bool names_user_addresses(const ProgramPlan& plan);

// Human-readable dump for --dump=plan and goldens.
std::string dump_plan(const ProgramPlan& plan);

}  // namespace dscope
