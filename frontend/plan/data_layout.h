// The state that the layouts of variables, aggregations and records share (private to plan_builder): the data that the
// program uses, and functions that assign offsets in records, keys and storage.
#pragma once

#include <set>
#include <vector>

#include "frontend/plan/plan_fields.h"
#include "frontend/plan/plan_layout.h"

namespace dscope {

// How the clauses of a program use its variables and aggregations.
struct DataUses {
  std::vector<std::vector<KeyUse>> aggregation_keys, variable_keys;  // by id and position
  std::vector<bool> is_aggregation_used, is_variable_used;           // by id
  std::vector<std::vector<const ClauseInstance*>> updating_clauses;  // by aggregation
  std::set<ContainerPart> container_parts;                           // names of containers that expressions use
  // Used by an ERROR clause, which reads the clause-locals of the clause that faulted.
  std::vector<bool> is_variable_used_on_faults;
};
DataUses collect_uses(const Semantics& meaning);

// The inputs and results of lay_out_data().
struct DataLayout {
  const Semantics& meaning;
  const TypeTable& types;
  const OptionValues& options;
  const MachineFacts& facts;
  const DataUses& uses;
  FieldPlanner& fields;
  ProgramPlan& plan;
  Layout& layout;
  uint32_t globals_size = 0;  // bytes of ds_globals so far
  std::vector<uint32_t>
      present_globals;  // offsets of the `present` bytes of global strings, which start as "", not NULL

  // Whether the option is smaller than its default. Scripts that set a small size rely on its exact meaning.
  bool is_below_default(OptionId option) const { return options.number(option) < row(option).default_value; }
  uint32_t whole_string_bytes() const { return round_up8(types.strsize() + 1); }
};

inline bool is_text(const Field& field) { return field.kind == FieldKind::String || is_numbered_text(field.kind); }

// Assigns the first suitable offset from `end` on to the field and moves `end` past the field. Aligns integers to their
// size and other fields to words.
void place_field(Field& field, uint32_t& end);

// Reserves `size` bytes at `end`; returns their offset.
uint32_t reserve(uint32_t& end, uint32_t size);

// lay_out_data() calls these in this order, because aggregations add to the globals.
void lay_out_variables(DataLayout& data);
void lay_out_aggregations(DataLayout& data);
void lay_out_records(DataLayout& data);
void add_globals_map(DataLayout& data);
void add_container_maps(DataLayout& data);

constexpr uint32_t variant_word = 8;  // bytes, in front of Field::variants

}  // namespace dscope
