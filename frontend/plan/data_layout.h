// What the layouts of variables, aggregations and records share (private to plan_builder): which data the program uses,
// and offsets in records, keys and storage.
#pragma once

#include <vector>

#include "frontend/plan/plan_fields.h"
#include "frontend/plan/plan_layout.h"

namespace dscope {

// How the clauses of a program use its variables and aggregations.
struct DataUses {
  std::vector<std::vector<KeyUse>> aggregation_keys, variable_keys;  // by id and position
  std::vector<bool> is_aggregation_used, is_variable_used;           // by id
  // By an ERROR clause, which sees the clause-locals of the clause that faulted.
  std::vector<bool> is_variable_used_on_faults;
};
DataUses collect_uses(const Semantics& meaning);

// What lay_out_data() works with, and what it fills.
struct DataLayout {
  const Semantics& meaning;
  const TypeTable& types;
  const OptionValues& options;
  const MachineFacts& facts;
  const DataUses& uses;
  FieldPlanner& fields;
  ProgramPlan& plan;
  Layout& layout;
  uint32_t globals_size = 0;              // of ds_globals so far
  std::vector<uint32_t> present_globals;  // offsets of the present bytes of global strings: "" and not NULL at start

  // Whether the option has a smaller value than the default: scripts that set one rely on its exact meaning.
  bool is_below_default(OptionId option) const { return options.number(option) < row(option).default_value; }
  uint32_t whole_string() const { return round_up8(types.strsize() + 1); }
};

inline bool is_text(const Field& field) {
  return field.kind == FieldKind::String || field.kind == FieldKind::ProbeName;
}

// Puts the field behind `end` and moves `end` behind the field. Integers are aligned to their size, other fields to
// words.
void place_field(Field& field, uint32_t& end);

// Reserves `size` bytes at `end`; returns their offset.
uint32_t reserve(uint32_t& end, uint32_t size);

// In this order: aggregations add to the globals.
void lay_out_variables(DataLayout& data);
void lay_out_aggregations(DataLayout& data);
void lay_out_records(DataLayout& data);
void add_globals_map(DataLayout& data);

constexpr uint32_t variant_word = 8;  // bytes, in front of Field::variants

}  // namespace dscope
