// Typed, read-only lookup over the rows of the catalogue: everything a D program can name is one row of a .def file,
// and no code compares names. Each layer expands the columns it needs.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace dscope {

// Whether a feature is available. The compiler rejects uses of features that are not (unavailable_text).
enum class Release : uint8_t { Now, Later, Never };
// The predicate of the error message: "is not available in this version of dscope"; empty for Now.
std::string_view unavailable_text(Release release);

// How much of the firing a variable, subroutine or action needs: it decides where the program of a clause may run.
enum class FiringContext : uint8_t {
  Anywhere,    // nothing: the consumer may fire the probe from its own thread
  Thread,      // the thread or code that fires the probe
  UserMemory,  // and the memory of its process
};

// What the plan looks up on the running kernel.
enum class MachinePart : uint8_t {
  Nothing,
  CpuTable,       // a cpuinfo_t for each CPU
  DriverTable,    // names of the drivers of block devices
  MemoryLayout,   // ds_memory_layout
  MutexOwner,     // struct mutex.owner
  PacketMembers,  // of struct sk_buff
  PathLayout,     // ds_path_layout
  PerfDeadline,   // when the timer of a perf event was due
  RouteLayout,    // ds_route_layout
  RwlockCount,    // rwlock_t.raw_lock.cnts
  TaskParents,    // real_parent and tgid of struct task_struct
};

// The most bytes of a string value, with its terminator. The .def files describe the rules.
struct StringBound {
  enum class Rule : uint8_t {
    NoString,
    Strsize,
    Fixed,
    Argument,
    PathArgument,
    Joined,
    Number,
    Token,
    SizedBytes,
    SizedText,
    ProbeText,
  };
  constexpr StringBound(Rule how, uint32_t most = 0) : rule(how), bytes(most) {}
  Rule rule;
  uint32_t bytes;  // Fixed
};

enum class BuiltinVariable : uint8_t {
#define DS_VARIABLE(id, ...) id,
#include "catalog/variables.def"
#undef DS_VARIABLE
};
struct VariableRow {
  BuiltinVariable id;
  std::string_view name, type;
  FiringContext context;
  std::string_view task_member;
  StringBound bound;
  Release release;
};

enum class Subroutine : uint8_t {
#define DS_SUBROUTINE(id, ...) id,
#include "catalog/subroutines.def"
#undef DS_SUBROUTINE
};
struct SubroutineRow {
  Subroutine id;
  std::string_view name, prototype;
  FiringContext context;
  MachinePart machine_part;
  StringBound bound;
  Release release;
};

enum class Action : uint8_t {
#define DS_ACTION(id, ...) id,
#include "catalog/actions.def"
#undef DS_ACTION
};
enum class ActionEffect : uint8_t { Record, Destructive, Speculative, Value };
struct ActionRow {
  Action id;
  std::string_view name, prototype;
  ActionEffect effect;
  FiringContext context;
  MachinePart machine_part;
  Release release;
};

enum class AggregationFunction : uint8_t {
#define DS_AGGREGATION(id, name, prototype, merge) id,
#include "catalog/aggregations.def"
#undef DS_AGGREGATION
};
enum class AggregationMerge : uint8_t { Add, Min, Max };
struct AggregationRow {
  AggregationFunction id;
  std::string_view name, prototype;
  AggregationMerge merge;
};

const VariableRow& row(BuiltinVariable id);
const SubroutineRow& row(Subroutine id);
const ActionRow& row(Action id);
const AggregationRow& row(AggregationFunction id);

const VariableRow* find_variable(std::string_view name);
const SubroutineRow* find_subroutine(std::string_view name);
const ActionRow* find_action(std::string_view name);
const AggregationRow* find_aggregation(std::string_view name);
// 0..9 for "arg0".."arg9".
std::optional<uint32_t> find_raw_argument(std::string_view name);

// All D names of variables, subroutines, actions and aggregating functions: for did-you-mean.
const std::vector<std::string_view>& all_names();
// The candidate nearest to `name` by edit distance, if near enough to be a likely typo; else empty.
std::string_view nearest_name(std::string_view name, const std::vector<std::string_view>& candidates);

// Whether programs start with that name: a built-in variable, function or action, arg0 ..., args or NULL.
bool is_built_in_name(std::string_view name);

}  // namespace dscope
