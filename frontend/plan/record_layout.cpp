// The record of each clause: the fields of its actions and recorded updates, and their offsets.
#include <algorithm>

#include "contract/record_format.h"
#include "contract/row_stamp.h"
#include "frontend/plan/column_names.h"
#include "frontend/plan/data_layout.h"
#include "frontend/semantics/walk.h"

namespace dscope {

namespace {

constexpr uint32_t header_size = sizeof(ds_record_header);

class RecordLayout {
 public:
  explicit RecordLayout(DataLayout& data)
      : data_(data),
        counts_whole_strings_(data.is_below_default(OptionId::Bufsize) || data.is_below_default(OptionId::Specsize)) {}

  void run() {
    for (const ClauseInstance& clause : data_.meaning.clauses) add_clause(clause);
  }

 private:
  void add_clause(const ClauseInstance& clause) {
    ClausePlan plan{.number = clause.number,
                    .description = clause.description,
                    .function = fmt::format("dt_clause_{}", clause.number),
                    .has_record = clause.has_record && !clause.never_runs};
    data_.layout.action_of_node.emplace_back();
    data_.layout.update_of_node.emplace_back();
    uint32_t end = header_size, counted = header_size;
    if (has_stamp(data_.options, plan)) end += sizeof(ds_row_stamp);
    // A clause that matches nothing (-Z) never runs; its expressions may have no types.
    if (clause.probes.empty() || clause.never_runs) return data_.plan.clauses.push_back(std::move(plan));
    walk_statements(data_.meaning, clause, [&](const Expr& statement, bool is_conditional) {
      if (const Call* call = action_call(data_.meaning, clause, statement))
        add_action(clause, statement, *call, is_conditional, plan, end, counted);
      else if (const auto aggregating = aggregating_statement(data_.meaning, clause, statement))
        add_update(clause, statement, *aggregating, is_conditional, plan, end);
    });
    plan.record_size = round_up8(end);
    data_.plan.clauses.push_back(std::move(plan));
  }

  void add_action(const ClauseInstance& clause, const Expr& node, const Call& call, bool is_conditional,
                  ClausePlan& plan, uint32_t& end, uint32_t& counted) {
    Action action = std::get<Action>(data_.meaning.info(clause, node).binding);
    if (row(action).effect == ActionEffect::Speculative) return;  // has no data in the record
    ActionPlan entry{.action = action};
    if (is_conditional) entry.ran_offset = reserve_ran_byte(end);
    int32_t format =
        node.id.index < data_.meaning.format_of_node.size() ? data_.meaning.format_of_node[node.id.index] : -1;
    entry.format = plan_format(format);
    for (Field& field : data_.fields.of_call(clause, node, call, action, format)) {
      place_field(field, end);
      if (counts_whole_strings_ && is_text(field)) end = std::max(end, field.offset + data_.whole_string_bytes());
      count(field, counted);
      entry.fields.push_back(std::move(field));
    }
    entry.counted_end = counted;
    if (names_values(data_.options)) entry.columns = column_names(call, action);
    for (const Expr* argument : call.arguments)
      if (const auto* id = std::get_if<AggregationId>(&data_.meaning.info(clause, *argument).binding))
        entry.aggregations.push_back(id->index);
    data_.layout.action_of_node.back()[node.id.index] = static_cast<uint32_t>(plan.actions.size());
    plan.actions.push_back(std::move(entry));
  }

  // Moves `counted` past the field as DTrace lays out records: numbers are aligned to their size, texts and other bytes
  // to nothing, and nothing is filled up to words.
  void count(const Field& field, uint32_t& counted) const {
    bool is_bytes = is_text(field) || field.kind == FieldKind::Bytes;
    uint32_t size = is_text(field) && counts_whole_strings_ ? data_.types.strsize() + 1 : field.size;
    uint64_t alignment = is_bytes ? 1 : std::clamp(size, 1U, 8U);
    counted = static_cast<uint32_t>(
        std::min<uint64_t>((counted + alignment - 1) / alignment * alignment + size, max_field_size));
  }

  // Reserves a byte of the record that the statement sets when it runs. Returns its offset.
  static uint32_t reserve_ran_byte(uint32_t& end) {
    Field ran{.size = 1};
    place_field(ran, end);
    return ran.offset;
  }

  void add_update(const ClauseInstance& clause, const Expr& node, const AggregatingStatement& statement,
                  bool is_conditional, ClausePlan& plan, uint32_t& end) {
    const AggregationPlan& updated = data_.plan.aggregations[statement.aggregation.index];
    if (!updated.is_recorded) return;
    UpdatePlan entry{.aggregation = statement.aggregation.index};
    if (is_conditional) entry.ran_offset = reserve_ran_byte(end);
    for (size_t i = 0; i < updated.keys.size(); ++i) {
      const Field& key = updated.keys[i];
      entry.variants.push_back(key.variants.empty() ? 0 : variant_of(clause, *statement.keys[i]));
      entry.fields.push_back(
          data_.fields.with_copy(clause, key.variants.empty() ? key : key.variants[entry.variants.back()]));
    }
    entry.fields.push_back({.kind = FieldKind::Bytes, .size = updated.value_size, .type = "words"});
    for (Field& field : entry.fields) place_field(field, end);
    data_.layout.update_of_node.back()[node.id.index] = static_cast<uint32_t>(plan.updates.size());
    plan.updates.push_back(std::move(entry));
  }

  uint32_t variant_of(const ClauseInstance& clause, const Expr& key) const {
    return data_.layout.variant_of_key[clause.number].at(key.id.index);
  }

  // Returns the index of the format in the plan, which contains only formats of code that can run.
  int32_t plan_format(int32_t format) {
    if (format < 0) return -1;
    auto [entry, is_new] = plan_formats_.try_emplace(format, static_cast<int32_t>(data_.plan.formats.size()));
    if (is_new) data_.plan.formats.push_back(data_.meaning.formats[static_cast<size_t>(format)].plan);
    return entry->second;
  }

  DataLayout& data_;
  // Scripts that set a small buffer rely on DTrace's record sizes: a string takes strsize bytes (d-language.md 9), not
  // only the bytes that its values can have.
  bool counts_whole_strings_;
  std::unordered_map<int32_t, int32_t> plan_formats_;  // index in the checker's formats -> index in the plan's
};

}  // namespace

void lay_out_records(DataLayout& data) { RecordLayout(data).run(); }

}  // namespace dscope
