// Typed, read-only access to the rows of the catalog: everything that a D program can name is one row of a .def file,
// and no code compares names. Each layer expands the columns that it needs.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "catalog/version.h"

namespace dscope {

// Whether a feature is available. The compiler rejects a feature that is not available with unavailable_text().
enum class Release : uint8_t { Now, Later, Never };
// Returns the predicate of the error message: "is not available in this version of dscope"; empty for Now.
std::string_view unavailable_text(Release release);

// The context that a variable, subroutine or action needs. It decides where the program of a clause may run.
enum class FiringContext : uint8_t {
  Anywhere,    // no context: the consumer may fire the probe from its own thread
  Thread,      // the thread or code that fires the probe
  UserMemory,  // the firing thread and the memory of its process
};

// Data that the plan looks up on the running kernel.
enum class MachinePart : uint8_t {
  Nothing,
  CpuTable,       // a cpuinfo_t for each CPU
  DriverTable,    // names of the drivers of block devices
  MemoryLayout,   // ds_memory_layout
  MutexOwner,     // struct mutex.owner
  PacketMembers,  // members of struct sk_buff
  PathLayout,     // ds_path_layout
  PerfDeadline,   // the expiry time of a perf event's timer
  RouteLayout,    // ds_route_layout
  RwlockCount,    // rwlock_t.raw_lock.cnts
  TaskParents,    // real_parent and tgid of struct task_struct
};

// The maximum size of a string value with its terminator. The .def files describe the rules.
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
  constexpr StringBound(Rule bound_rule, uint32_t max_bytes = 0) : rule(bound_rule), bytes(max_bytes) {}
  Rule rule;
  uint32_t bytes;  // for Fixed
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
  Version since;
  Release release;
};

enum class Subroutine : uint8_t {
#define DS_SUBROUTINE(id, ...) id,
#include "catalog/subroutines.def"
#undef DS_SUBROUTINE
};
enum class SubroutineEffect : uint8_t { Value, Pure, Allocates, Destructive };
// A rule for one argument that the prototype cannot express. subroutines.def describes the rules.
struct ArgumentRule {
  enum class Kind : uint8_t { NoRule, ScratchSize, ScratchTarget, Constant };
  constexpr ArgumentRule(Kind rule_kind, uint32_t argument_index = 0) : kind(rule_kind), argument(argument_index) {}
  Kind kind;
  uint32_t argument;  // its index
};
struct SubroutineRow {
  Subroutine id;
  std::string_view name, prototype;
  SubroutineEffect effect;
  ArgumentRule rule;
  FiringContext context;
  MachinePart machine_part;
  StringBound bound;
  Version since;
  Release release;
};

enum class Action : uint8_t {
#define DS_ACTION(id, ...) id,
#include "catalog/actions.def"
#undef DS_ACTION
};
enum class ActionEffect : uint8_t { Record, Destructive, Speculative };
enum class ActionRecord : uint8_t { Nothing, Arguments, Format, Itself, Special };
enum class ActionValue : uint8_t { NoValue, Argument, Text, KernelStack, UserStack, KernelSymbol, UserSymbol };
struct ActionRow {
  Action id;
  std::string_view name, prototype;
  ActionEffect effect;
  ActionRecord record;
  ActionValue value;
  FiringContext context;
  MachinePart machine_part;
  Version since;
  Release release;
};

enum class AggregationFunction : uint8_t {
#define DS_AGGREGATION(id, ...) id,
#include "catalog/aggregations.def"
#undef DS_AGGREGATION
};
enum class AggregationMerge : uint8_t { Add, Min, Max };
enum class AggregationContent : uint8_t { Number, Buckets };
struct AggregationRow {
  AggregationFunction id;
  std::string_view name, prototype;
  AggregationMerge merge;
  AggregationContent content;
  Version since;
};

const VariableRow& row(BuiltinVariable id);
const SubroutineRow& row(Subroutine id);
const ActionRow& row(Action id);
const AggregationRow& row(AggregationFunction id);

const VariableRow* find_variable(std::string_view name);
const SubroutineRow* find_subroutine(std::string_view name);
const ActionRow* find_action(std::string_view name);
const AggregationRow* find_aggregation(std::string_view name);
// Returns the version of D that introduced the variable, subroutine, action or aggregating function `name`; 1.0 for any
// other name.
Version version_of(std::string_view name);
// Returns 0..9 for "arg0".."arg9".
std::optional<uint32_t> find_raw_argument(std::string_view name);

// All D names of variables, subroutines, actions and aggregating functions, for "did you mean" hints.
const std::vector<std::string_view>& all_names();
// Returns the candidate nearest to `name` by edit distance if a typo is likely; otherwise empty.
std::string_view nearest_name(std::string_view name, const std::vector<std::string_view>& candidates);

// Whether `name` is predefined: a built-in variable, function or action, arg0 ..., args or NULL.
bool is_built_in_name(std::string_view name);

}  // namespace dscope
