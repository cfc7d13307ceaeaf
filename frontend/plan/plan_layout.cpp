#include "frontend/plan/plan_layout.h"

#include <algorithm>

#include "contract/buffer_policy.h"
#include "contract/machine_state.h"
#include "contract/record_format.h"
#include "frontend/plan/plan_fields.h"
#include "frontend/semantics/walk.h"
#include "support/check.h"

namespace dscope {

uint32_t string_storage_size(const TypeTable& types) { return round_up8(types.strsize() + 1) + 8; }

namespace {

constexpr uint32_t header_size = sizeof(ds_record_header);
constexpr uint64_t variable_id_bytes = 4, thread_id_bytes = 8;  // of a dynamic variable's key, as D counts it
constexpr int64_t default_aggsize = 4 << 20;
// Up to so many elements a real per-CPU hash is used; making one takes 0.7 us per element.
constexpr int64_t max_per_cpu_elements = 1024;
constexpr uint32_t short_string = 64;  // bytes, with the terminator
constexpr size_t max_short_maps = 8;   // a program may use 64 maps of all kinds
// The kernel allows per-CPU maps no larger values: an lquantize() of thousands of levels has more.
constexpr uint32_t max_per_cpu_bytes = 32 << 10;
// 2.5 ms to make; a script that needs more sets aggsize.
constexpr int64_t max_default_elements = 1 << 17;
// They are allocated in advance; what is more than this is not to be had on most machines.
constexpr int64_t max_given_elements = 1 << 22, max_given_bytes = 1 << 30;
// Clause-local numbers that may lie on BPF's stack of 512 bytes, which has other uses; more of them are put elsewhere.
constexpr uint32_t max_locals = 24;
constexpr uint32_t variant_word = 8;  // bytes, in front of Field::variants

bool is_same_kind(const Field& a, const Field& b) {
  return a.kind == b.kind && a.frames == b.frames && printed_as(a.symbol) == printed_as(b.symbol);
}

class DataLayout {
 public:
  DataLayout(const Semantics& meaning, const OptionValues& options, Host& host, CompiledPlan& out)
      : meaning_(meaning),
        types_(*meaning.types),
        options_(options),
        facts_(host.facts()),
        fields_(meaning, options, host, out.plan),
        plan_(out.plan),
        layout_(out.layout),
        counts_whole_strings_(is_below_default(OptionId::Bufsize) || is_below_default(OptionId::Specsize)) {}

  void run() {
    layout_.variant_of_key.resize(meaning_.clauses.size());
    collect_uses();
    measure_dynamic_variables();
    if (calls(Subroutine::Strtok))
      layout_.strtok_offset = take(layout_.scratch_reserved, 8 + round_up8(types_.strsize() + 1));
    for (size_t i = 0; i < meaning_.variables.size(); ++i) place_variable(i);
    for (size_t i = 0; i < meaning_.aggregations.size(); ++i) add_aggregation(i);
    for (const ClauseInstance& clause : meaning_.clauses) add_clause(clause);
  }

 private:
  bool calls(Subroutine subroutine) const {
    bool is_called = false;
    walk_program(meaning_, [&](const Expr& expr, const ClauseInstance& clause) {
      const auto* id = std::get_if<Subroutine>(&meaning_.info(clause, expr).binding);
      is_called |= id != nullptr && *id == subroutine;
    });
    return is_called;
  }

  void note_key(std::vector<KeyUse>& uses, size_t position, const ClauseInstance& clause, const Expr& key) {
    if (uses.size() <= position) uses.resize(position + 1);
    KeyUse& use = uses[position];
    const ExprInfo& info = meaning_.info(clause, key);
    if (!types_.is_string_compatible(info.type)) return;
    use.string_bytes = std::max(use.string_bytes, string_bound(meaning_, clause, key));
    const auto* builtin = std::get_if<BuiltinVariable>(&info.binding);
    bool is_part = builtin != nullptr && probe_part(clause, *builtin).has_value();
    if (!is_part || (use.probe_part && *use.probe_part != *builtin)) use.is_mixed = true;
    if (is_part) use.probe_part = *builtin;
  }

  static bool runs_on_faults(const ClauseInstance& clause) {
    return std::ranges::any_of(
        clause.probes, [](const Probe* probe) { return probe->provider == "dtrace" && probe->name == "ERROR"; });
  }

  void collect_uses() {
    aggregation_uses_.resize(meaning_.aggregations.size());
    variable_uses_.resize(meaning_.variables.size());
    is_aggregation_used_.resize(meaning_.aggregations.size());
    is_variable_used_.resize(meaning_.variables.size());
    is_used_on_faults_.resize(meaning_.variables.size());
    walk_program(meaning_, [&](const Expr& expr, const ClauseInstance& clause) {
      if (const auto aggregating = aggregating_statement(meaning_, clause, expr))
        is_aggregation_used_[aggregating->aggregation.index] = true;
      if (const auto* id = std::get_if<VariableId>(&meaning_.info(clause, expr).binding)) {
        is_variable_used_[id->index] = true;
        if (runs_on_faults(clause)) is_used_on_faults_[id->index] = true;
      }
      const auto* index = std::get_if<Index>(&expr.form);
      if (index == nullptr) return;
      bool is_named =
          std::holds_alternative<Name>(index->base->form) || std::holds_alternative<AggregationRef>(index->base->form);
      if (!is_named) return;
      const Binding& base = meaning_.info(clause, *index->base).binding;
      std::vector<KeyUse>* uses = nullptr;
      if (const auto* id = std::get_if<AggregationId>(&base)) uses = &aggregation_uses_[id->index];
      if (const auto* id = std::get_if<VariableId>(&base))
        if (meaning_.variables[id->index].is_associative) uses = &variable_uses_[id->index];
      if (uses == nullptr) return;
      for (size_t i = 0; i < index->arguments.size(); ++i) note_key(*uses, i, clause, *index->arguments[i]);
    });
  }

  // ---- fields

  // Integers are aligned to their size, everything else to words.
  static void place(Field& field, uint32_t& end) {
    uint32_t room = field_room(field);
    uint32_t alignment = std::clamp(room, 1U, 8U);
    field.offset = static_cast<uint32_t>((uint64_t{end} + alignment - 1) / alignment * alignment);
    end = room > largest_size - field.offset ? largest_size : field.offset + room;
    for (Field& variant : field.variants) variant.offset = field.offset + variant_word;
  }

  static bool is_text(const Field& field) {
    return field.kind == FieldKind::String || field.kind == FieldKind::ProbeName;
  }
  uint32_t whole_string() const { return round_up8(types_.strsize() + 1); }

  bool is_below_default(OptionId option) const { return options_.number(option) < row(option).default_value; }

  // ---- variables

  // How many thread-locals and elements there can be is exact (d-language.md 5.4): scripts rely on it that set a small
  // dynvarsize. With the usual one nobody counts.
  void measure_dynamic_variables() {
    uint64_t value = 0, tuple = 0;
    for (const Variable& variable : meaning_.variables) {
      if (!variable.is_associative && variable.scope != VariableScope::Self) continue;
      value = std::max(value, size_in_d(variable.type));
      if (!variable.is_associative) continue;
      uint64_t keys = variable_id_bytes + thread_id_bytes;
      for (TypeId key : variable.keys) keys += size_in_d(key);
      tuple = std::max(tuple, keys);
    }
    if (value == 0) return;
    int64_t space = std::max<int64_t>(0, options_.number(OptionId::Dynvarsize));
    plan_.dynamic_capacity = static_cast<uint64_t>(space) / (value + tuple);
    if (space >= row(OptionId::Dynvarsize).default_value) return;
    layout_.dynamic_limit = *plan_.dynamic_capacity;
    layout_.dynamic_count = take(globals_size_, 8);
  }

  uint64_t size_in_d(TypeId type) const {
    if (types_.is_string(type)) return types_.strsize();
    return std::max<uint64_t>(1, types_.is_pointer(type) ? 8 : types_.size_of(type));
  }

  void place_variable(size_t index) {
    const Variable& variable = meaning_.variables[index];
    VariablePlace place;
    if (!is_variable_used_[index]) {
      place.kind = VariablePlace::Kind::Nowhere;
      return layout_.variables.push_back(std::move(place));
    }
    bool is_string = types_.is_string(variable.type);
    bool is_scalar = types_.is_scalar(variable.type);
    place.size = is_string ? string_storage_size(types_)
                           : round_up8(std::max(8U, size_within_bounds(types_.size_of(variable.type))));
    if (variable.is_associative) {
      place_array(variable, index, place);
    } else if (variable.name == machine_variable) {
      place.kind = VariablePlace::Kind::Globals;
      place.map = "ds_state";
      place.offset = sizeof(ds_state);
    } else if (variable.scope == VariableScope::Global) {
      place.kind = VariablePlace::Kind::Globals;
      place.offset = take(globals_size_, place.size);
      if (is_string) present_globals_.push_back(place.offset + place.size - 8);
    } else if (variable.scope == VariableScope::Self) {
      place.kind = VariablePlace::Kind::Task;
      if (layout_.dynamic_limit != 0 && !is_string && !is_scalar) place.size += 8;  // the word that tells if it exists
      place.offset = take(layout_.task_size, place.size);
    } else if (is_scalar && !layout_.outlines_clauses && !is_used_on_faults_[index] && locals_ < max_locals) {
      place.kind = VariablePlace::Kind::Local;
      ++locals_;
    } else {
      place.kind = VariablePlace::Kind::Scratch;
      place.offset = take(layout_.scratch_reserved, place.size);
    }
    layout_.variables.push_back(std::move(place));
  }

  void place_array(const Variable& variable, size_t index, VariablePlace& place) {
    place.kind = VariablePlace::Kind::Map;
    place.map = fmt::format("ds_array_{}", index);
    uint32_t end = variable.scope == VariableScope::Self ? 8 : 0;  // thread id first
    for (size_t i = 0; i < variable.keys.size(); ++i) {
      KeyUse use = i < variable_uses_[index].size() ? variable_uses_[index][i] : KeyUse{};
      use.is_mixed = true;  // a row number would tell apart probes of equal name
      Field field = fields_.key(use, variable.keys[i]);
      DataLayout::place(field, end);
      place.keys.push_back(std::move(field));
    }
    place.key_size = std::max(8U, round_up8(end));
    place.map_value_size = place.size;
    int64_t space = std::max<int64_t>(0, options_.number(OptionId::Dynvarsize));
    bool is_counted = layout_.dynamic_limit != 0;
    int64_t entries =
        is_counted ? static_cast<int64_t>(layout_.dynamic_limit) : space / (place.size + place.key_size + 12);
    entries = std::max<int64_t>(entries, 1);
    plan_.maps.push_back({.name = place.map,
                          .kind = MapKind::Hash,
                          .key_size = place.key_size,
                          .value_size = place.size,
                          .max_entries = static_cast<uint32_t>(std::min<int64_t>(entries, 1 << 20)),
                          .no_prealloc = true,
                          .size_option = OptionId::Dynvarsize,
                          .wanted_entries = static_cast<uint64_t>(entries)});
  }

  static uint32_t take(uint32_t& end, uint32_t size) {
    uint32_t offset = end;
    end = size > largest_size - end ? largest_size : end + size;
    return offset;
  }

  // ---- aggregations

  static uint32_t words_of(const Aggregation& aggregation) {
    const int64_t* p = aggregation.parameters;
    switch (aggregation.function) {
      case AggregationFunction::Count:
      case AggregationFunction::Sum:
      case AggregationFunction::Min:
      case AggregationFunction::Max: return 1;
      case AggregationFunction::Avg: return 2;
      case AggregationFunction::Stddev: return 4;
      case AggregationFunction::Quantize: return 127;
      case AggregationFunction::Lquantize: return static_cast<uint32_t>(p[1] + 2);
      case AggregationFunction::Llquantize:
        return static_cast<uint32_t>(2 * (p[2] - p[1] + 1) * (p[3] - p[3] / p[0]) + 3);
    }
    DS_UNREACHABLE();
  }

  bool may_have_copy(const Field& key) const {
    return fields_.with_copy(key).has_copy ||
           std::ranges::any_of(key.variants, [&](const Field& each) { return may_have_copy(each); });
  }

  void add_aggregation(size_t index) {
    const Aggregation& aggregation = meaning_.aggregations[index];
    AggregationPlan plan{.name = aggregation.name, .function = aggregation.function};
    uint32_t end = 0;
    for (size_t i = 0; i < aggregation.keys.size(); ++i) {
      Field field = aggregation.keys[i].action
                        ? traced_key(index, i)
                        : fields_.key(i < aggregation_uses_[index].size() ? aggregation_uses_[index][i] : KeyUse{},
                                      aggregation.keys[i].type);
      plan.keys.push_back(std::move(field));
    }
    Field* long_string = only_long_string(plan.keys);
    for (Field& field : plan.keys)
      if (&field != long_string) place(field, end);
    if (long_string != nullptr) place(*long_string, end);
    plan.key_size = round_up8(end);
    // What the buffer's policy lets go of must not be missing in sums.
    plan.is_recorded = buffer_policy(options_) == BufferPolicy::Switch &&
                       std::ranges::any_of(plan.keys, [&](const Field& key) { return may_have_copy(key); });
    plan.data_words = words_of(aggregation);
    std::copy(std::begin(aggregation.parameters), std::end(aggregation.parameters), plan.parameters);
    plan.has_generation = is_aggregation_used_[index] && row(aggregation.function).merge != AggregationMerge::Add;
    plan.has_state_word = plan.key_size == 0 || plan.has_generation;
    plan.value_size = plan.slot_size() * (plan.has_generation ? 2 : 1);
    plan.is_value_signed = aggregation.function != AggregationFunction::Count;
    if (plan.has_generation) plan.generation_offset = take(globals_size_, 8);
    plan.element_size = counted_element(plan);
    if (is_aggregation_used_[index] && !plan.is_recorded) {
      plan.map = fmt::format("ds_agg_{}", index);
      add_aggregation_map(plan);
      if (long_string != nullptr) add_short_map(plan, *long_string);
    }
    plan_.aggregations.push_back(std::move(plan));
  }

  // It is the last of the key's fields; null: there is none, or there are several.
  static Field* only_long_string(std::vector<Field>& keys) {
    auto is_long = [](const Field& key) { return key.kind == FieldKind::String && key.size > 2 * short_string; };
    auto found = std::ranges::find_if(keys, is_long);
    return std::ranges::count_if(keys, is_long) == 1 ? &*found : nullptr;
  }

  // Half of the room is for long strings then. An aggsize that was asked for is for all.
  void add_short_map(AggregationPlan& plan, const Field& string) {
    MapPlan& long_map = plan_.maps.back();
    if (!plan.is_cpu_in_key || long_map.size_option || plan_.aggregations.size() >= max_short_maps) return;
    plan.short_map = plan.map + "s";
    plan.short_key_size = string.offset + short_string;
    MapPlan short_map = long_map;
    short_map.name = plan.short_map;
    short_map.key_size = plan.short_key_size + 8;
    long_map.max_entries = std::max(1U, long_map.max_entries / 2);
    plan_.maps.push_back(std::move(short_map));
  }

  // Scripts rely on what fits into a small aggsize: keys with whole strings, the value, 8 bytes of generation.
  uint64_t counted_element(const AggregationPlan& plan) const {
    if (!is_below_default(OptionId::Aggsize)) return plan.key_size + plan.value_size;
    uint64_t size = (plan.data_words + 1) * 8;
    for (const Field& key : plan.keys) size += is_text(key) ? whole_string() : round_up8(key.size);
    return size;
  }

  // Room for aggsize bytes on each CPU, allocated in advance: a new key is never lost to a slow allocator.
  void add_aggregation_map(AggregationPlan& plan) {
    MapPlan map{
        .name = plan.map, .kind = MapKind::PerCpuArray, .key_size = 4, .value_size = plan.value_size, .max_entries = 1};
    bool is_large = plan.value_size > max_per_cpu_bytes;
    if (plan.key_size == 0 && is_large) {
      plan.is_cpu_in_key = true;
      map.kind = MapKind::Array;
      map.max_entries = facts_.cpu_count;
    }
    if (plan.key_size != 0) {
      bool is_given = options_.number(OptionId::Aggsize) > 0 &&
                      options_.number(OptionId::Aggsize) != row(OptionId::Aggsize).default_value;
      int64_t space = is_given ? options_.number(OptionId::Aggsize) : default_aggsize;
      int64_t entries = std::max<int64_t>(1, space / static_cast<int64_t>(plan.element_size));
      entries = std::min(entries, possible_keys(plan));
      plan.is_cpu_in_key = is_large || entries > max_per_cpu_elements;
      map.kind = plan.is_cpu_in_key ? MapKind::Hash : MapKind::PerCpuHash;
      map.key_size = plan.key_size + (plan.is_cpu_in_key ? 8 : 0);
      if (plan.is_cpu_in_key) entries *= facts_.cpu_count;
      if (is_given) {
        map.size_option = OptionId::Aggsize;
        map.wanted_entries = static_cast<uint64_t>(entries);
        entries = std::min(entries, max_given_bytes / (map.key_size + map.value_size));
      } else {
        entries = std::min(entries, max_default_elements);
      }
      map.max_entries = static_cast<uint32_t>(std::clamp<int64_t>(entries, 1, max_given_elements));
    }
    plan.map_key_size = map.key_size;
    plan.map_value_size = map.value_size;
    plan_.maps.push_back(std::move(map));
  }

  // Keys made of the probe's names only: there cannot be more of them than probes; each place a probe hangs on has its
  // own, until they are printed.
  int64_t possible_keys(const AggregationPlan& plan) const {
    bool is_probe_only = std::all_of(plan.keys.begin(), plan.keys.end(),
                                     [](const Field& key) { return key.kind == FieldKind::ProbeName; });
    if (!is_probe_only) return INT64_MAX;
    int64_t rows = 0;
    for (const ClauseInstance& clause : meaning_.clauses) {
      if (clause.gains_probes) return INT64_MAX;
      for (const Probe* probe : clause.probes)
        rows += static_cast<int64_t>(std::max({size_t{1}, probe->sites.size(), probe->derivations.size()}));
    }
    return std::max<int64_t>(1, rows);
  }

  // Of stacks and symbols. What is wanted may differ from use to use.
  Field traced_key(size_t aggregation, size_t position) {
    std::vector<Field> kinds;
    for (const ClauseInstance& clause : meaning_.clauses) {
      walk_clause(meaning_, clause, [&](const Expr& expr) {
        const auto statement = aggregating_statement(meaning_, clause, expr);
        if (!statement || statement->aggregation.index != aggregation) return;
        const Expr& key = *statement->keys[position];
        Field field = fields_.of_action(clause, *action_call(meaning_, clause, key),
                                        std::get<Action>(meaning_.info(clause, key).binding));
        auto known = std::ranges::find_if(kinds, [&](const Field& each) { return is_same_kind(each, field); });
        layout_.variant_of_key[clause.number][key.id.index] = static_cast<uint32_t>(known - kinds.begin());
        if (known == kinds.end()) kinds.push_back(std::move(field));
      });
    }
    if (kinds.empty()) return {.kind = FieldKind::Stack, .size = 8, .frames = 1, .type = "stack"};  // never used
    if (kinds.size() == 1) return kinds.front();
    Field any = *std::ranges::max_element(kinds, {}, &Field::size);
    any.size += variant_word;
    any.variants = std::move(kinds);
    return any;
  }

  // ---- records

  void add_clause(const ClauseInstance& clause) {
    ClausePlan plan{.number = clause.number,
                    .description = clause.description,
                    .function = fmt::format("dt_clause_{}", clause.number),
                    .has_record = clause.has_record && !clause.never_runs};
    layout_.action_of_node.emplace_back();
    layout_.update_of_node.emplace_back();
    uint32_t end = header_size;
    // A clause that matches nothing (-Z) never runs; its expressions may have no types.
    if (clause.probes.empty() || clause.never_runs) return plan_.clauses.push_back(std::move(plan));
    walk_statements(meaning_, clause, [&](const Expr& statement, bool is_conditional) {
      if (const Call* call = action_call(meaning_, clause, statement))
        add_action(clause, statement, *call, is_conditional, plan, end);
      else if (const auto aggregating = aggregating_statement(meaning_, clause, statement))
        add_update(clause, statement, *aggregating, is_conditional, plan, end);
    });
    plan.record_size = round_up8(end);
    plan_.clauses.push_back(std::move(plan));
  }

  void add_action(const ClauseInstance& clause, const Expr& node, const Call& call, bool is_conditional,
                  ClausePlan& plan, uint32_t& end) {
    Action action = std::get<Action>(meaning_.info(clause, node).binding);
    if (row(action).effect == ActionEffect::Speculative) return;  // nothing in the record
    ActionPlan entry{.action = action};
    if (is_conditional) entry.ran_offset = place_mark(end);
    int32_t format = node.id.index < meaning_.format_of_node.size() ? meaning_.format_of_node[node.id.index] : -1;
    entry.format = plan_format(format);
    for (Field& field : fields_.of_call(clause, node, call, action, format)) {
      place(field, end);
      if (counts_whole_strings_ && is_text(field)) end = std::max(end, field.offset + whole_string());
      entry.fields.push_back(std::move(field));
    }
    entry.end = end;
    for (const Expr* argument : call.arguments)
      if (const auto* id = std::get_if<AggregationId>(&meaning_.info(clause, *argument).binding))
        entry.aggregations.push_back(id->index);
    layout_.action_of_node.back()[node.id.index] = static_cast<uint32_t>(plan.actions.size());
    plan.actions.push_back(std::move(entry));
  }

  // A byte that tells whether a statement has run.
  static uint32_t place_mark(uint32_t& end) {
    Field ran{.size = 1};
    place(ran, end);
    return ran.offset;
  }

  void add_update(const ClauseInstance& clause, const Expr& node, const AggregatingStatement& statement,
                  bool is_conditional, ClausePlan& plan, uint32_t& end) {
    const AggregationPlan& updated = plan_.aggregations[statement.aggregation.index];
    if (!updated.is_recorded) return;
    UpdatePlan entry{.aggregation = statement.aggregation.index};
    if (is_conditional) entry.ran_offset = place_mark(end);
    for (size_t i = 0; i < updated.keys.size(); ++i) {
      const Field& key = updated.keys[i];
      entry.variants.push_back(key.variants.empty() ? 0 : variant_of(clause, *statement.keys[i]));
      entry.fields.push_back(fields_.with_copy(key.variants.empty() ? key : key.variants[entry.variants.back()]));
    }
    entry.fields.push_back({.kind = FieldKind::Bytes, .size = updated.value_size, .type = "words"});
    for (Field& field : entry.fields) place(field, end);
    layout_.update_of_node.back()[node.id.index] = static_cast<uint32_t>(plan.updates.size());
    plan.updates.push_back(std::move(entry));
  }

  uint32_t variant_of(const ClauseInstance& clause, const Expr& key) const {
    return layout_.variant_of_key[clause.number].at(key.id.index);
  }

  // Only formats of code that can run get into the plan.
  int32_t plan_format(int32_t format) {
    if (format < 0) return -1;
    auto [place, is_new] = plan_formats_.try_emplace(format, static_cast<int32_t>(plan_.formats.size()));
    if (is_new) plan_.formats.push_back(meaning_.formats[static_cast<size_t>(format)].plan);
    return place->second;
  }

 public:
  // ds_globals comes last: aggregations have their generation counters there.
  void add_globals_map() {
    layout_.globals_size = globals_size_;
    if (globals_size_ == 0) return;
    MapPlan map{.name = "ds_globals",
                .kind = MapKind::Array,
                .key_size = 4,
                .value_size = globals_size_,
                .max_entries = 1,
                .is_direct = true,
                .is_mmapable = true};
    if (!present_globals_.empty()) {
      map.initial.resize(globals_size_);
      for (uint32_t offset : present_globals_) map.initial[offset] = 1;
    }
    plan_.maps.push_back(std::move(map));
  }

 private:
  const Semantics& meaning_;
  const TypeTable& types_;
  const OptionValues& options_;
  const MachineFacts& facts_;
  FieldPlanner fields_;
  ProgramPlan& plan_;
  Layout& layout_;
  // Scripts rely on what fits into a small buffer: strings take all the room that they might need (d-language.md 9), as
  // they do in DTrace, and not only what these can have.
  bool counts_whole_strings_;
  uint32_t globals_size_ = 0;
  uint32_t locals_ = 0;
  std::vector<uint32_t> present_globals_;  // offsets of the present bytes of global strings: "" and not NULL at start
  std::vector<std::vector<KeyUse>> aggregation_uses_, variable_uses_;
  std::vector<bool> is_aggregation_used_, is_variable_used_;
  std::vector<bool> is_used_on_faults_;  // by an ERROR clause, which sees the clause-locals of the clause that faulted
  std::unordered_map<int32_t, int32_t> plan_formats_;  // of the checker -> of the plan
};

}  // namespace

void lay_out_data(const Semantics& meaning, const OptionValues& options, Host& host, CompiledPlan& out) {
  DataLayout layout(meaning, options, host, out);
  layout.run();
  layout.add_globals_map();
}

}  // namespace dscope
