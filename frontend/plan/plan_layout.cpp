// The data half of plan building: collects the data that the program uses, then lays out variables, aggregations and
// records.
#include "frontend/plan/plan_layout.h"

#include <algorithm>

#include "contract/host.h"
#include "frontend/plan/data_layout.h"
#include "frontend/plan/interval_marks.h"
#include "frontend/semantics/walk.h"

namespace dscope {

namespace {

class UseCollector {
 public:
  explicit UseCollector(const Semantics& meaning) : meaning_(meaning) {
    uses_.aggregation_keys.resize(meaning.aggregations.size());
    uses_.variable_keys.resize(meaning.variables.size());
    uses_.is_aggregation_used.resize(meaning.aggregations.size());
    uses_.updating_clauses.resize(meaning.aggregations.size());
    uses_.is_variable_used.resize(meaning.variables.size());
    uses_.is_variable_used_on_faults.resize(meaning.variables.size());
  }

  DataUses run() {
    walk_program(meaning_, [&](const Expr& expr, const ClauseInstance& clause) {
      if (const auto aggregating = aggregating_statement(meaning_, clause, expr)) {
        uses_.is_aggregation_used[aggregating->aggregation.index] = true;
        uses_.updating_clauses[aggregating->aggregation.index].push_back(&clause);
      }
      if (const auto* id = std::get_if<VariableId>(&meaning_.info(clause, expr).binding)) {
        uses_.is_variable_used[id->index] = true;
        if (runs_on_faults(clause)) uses_.is_variable_used_on_faults[id->index] = true;
      }
      if (const auto* builtin = std::get_if<BuiltinVariable>(&meaning_.info(clause, expr).binding))
        if (auto part = container_part(*builtin)) uses_.container_parts.insert(*part);
      if (const auto* index = std::get_if<Index>(&expr.form)) note_keys(clause, *index);
    });
    return std::move(uses_);
  }

 private:
  static bool runs_on_faults(const ClauseInstance& clause) {
    return std::ranges::any_of(clause.probes,
                               [](const Probe* probe) { return has_role(*probe, HookTestRun::Role::Error); });
  }

  void note_keys(const ClauseInstance& clause, const Index& index) {
    bool is_named =
        std::holds_alternative<Name>(index.base->form) || std::holds_alternative<AggregationRef>(index.base->form);
    if (!is_named) return;
    const Binding& base = meaning_.info(clause, *index.base).binding;
    std::vector<KeyUse>* uses = nullptr;
    if (const auto* id = std::get_if<AggregationId>(&base)) uses = &uses_.aggregation_keys[id->index];
    if (const auto* id = std::get_if<VariableId>(&base))
      if (meaning_.variables[id->index].is_associative) uses = &uses_.variable_keys[id->index];
    if (uses == nullptr) return;
    for (size_t i = 0; i < index.arguments.size(); ++i) note_key(*uses, i, clause, *index.arguments[i]);
  }

  void note_key(std::vector<KeyUse>& uses, size_t position, const ClauseInstance& clause, const Expr& key) {
    if (uses.size() <= position) uses.resize(position + 1);
    KeyUse& use = uses[position];
    const ExprInfo& info = meaning_.info(clause, key);
    if (!meaning_.types->is_string_compatible(info.type)) return;
    use.string_bytes = std::max(use.string_bytes, string_bound(meaning_, clause, key));
    const auto* builtin = std::get_if<BuiltinVariable>(&info.binding);
    auto part = builtin != nullptr ? probe_part(clause, *builtin) : std::nullopt;
    auto container = builtin != nullptr ? container_part(*builtin) : std::nullopt;
    if ((!part && !container) || (use.probe_part && use.probe_part != part) ||
        (use.container_part && use.container_part != container))
      use.is_mixed = true;
    if (part) use.probe_part = part;
    if (container) use.container_part = container;
  }

  const Semantics& meaning_;
  DataUses uses_;
};

}  // namespace

DataUses collect_uses(const Semantics& meaning) { return UseCollector(meaning).run(); }

void place_field(Field& field, uint32_t& end) {
  uint32_t room = field_room(field);
  uint32_t alignment = std::clamp(room, 1U, 8U);
  field.offset = static_cast<uint32_t>((uint64_t{end} + alignment - 1) / alignment * alignment);
  end = room > max_field_size - field.offset ? max_field_size : field.offset + room;
  for (Field& variant : field.variants) variant.offset = field.offset + variant_word;
}

uint32_t reserve(uint32_t& end, uint32_t size) {
  uint32_t offset = end;
  end = size > max_field_size - end ? max_field_size : end + size;
  return offset;
}

// The consumer adds the names of each cgroup when it sees the cgroup.
void add_container_maps(DataLayout& data) {
  constexpr uint32_t max_cgroups = 16384;
  uint32_t name_bytes =
      round_up8(static_cast<uint32_t>(std::min<uint64_t>(data.types.strsize() + 1, max_container_name_bytes)));
  for (ContainerPart part : data.uses.container_parts)
    data.plan.maps.push_back({.name = container_map(part),
                              .kind = MapKind::Hash,
                              .key_size = 8,
                              .value_size = name_bytes,
                              .max_entries = max_cgroups,
                              .no_prealloc = true});
}

// Comes last, because the map also contains the generation counters of aggregations.
void add_globals_map(DataLayout& data) {
  data.layout.globals_size = data.globals_size;
  if (data.globals_size == 0) return;
  MapPlan map{.name = "ds_globals",
              .kind = MapKind::Array,
              .key_size = 4,
              .value_size = data.globals_size,
              .max_entries = 1,
              .is_direct = true,
              .is_mmapable = true};
  if (!data.present_globals.empty()) {
    map.initial.resize(data.globals_size);
    for (uint32_t offset : data.present_globals) map.initial[offset] = 1;
  }
  data.plan.maps.push_back(std::move(map));
}

void lay_out_data(const Semantics& meaning, const OptionValues& options, Host& host, CompiledPlan& out) {
  FieldPlanner fields(meaning, options, host, out.plan);
  DataUses uses = collect_uses(meaning);
  DataLayout data{.meaning = meaning,
                  .types = *meaning.types,
                  .options = options,
                  .facts = host.facts(),
                  .uses = uses,
                  .fields = fields,
                  .plan = out.plan,
                  .layout = out.layout};
  out.layout.variant_of_key.resize(meaning.clauses.size());
  lay_out_variables(data);
  lay_out_aggregations(data);
  lay_out_records(data);
  if (options.is_on(OptionId::Rowstamps)) out.plan.interval_marks = find_interval_marks(meaning, out.plan.clauses);
  add_globals_map(data);
  add_container_maps(data);
}

}  // namespace dscope
