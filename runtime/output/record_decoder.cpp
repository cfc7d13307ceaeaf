#include "runtime/output/record_decoder.h"

#include <algorithm>
#include <cstring>

#include "support/check.h"

namespace dscope {

namespace {

size_t end_of(const std::vector<Field>& fields) {
  size_t end = 0;
  for (const Field& field : fields) end = std::max(end, size_t{field.offset} + field.size);
  return end;
}

}  // namespace

RecordDecoder::RecordDecoder(const ProgramPlan& plan, SpeculationTable* speculations, RowWriter& writer)
    : plan_(plan), speculation_table_(speculations), writer_(writer) {
  for (const AggregationPlan& aggregation : plan.aggregations)
    DS_CHECK(end_of(aggregation.keys) <= aggregation.key_size);
  for (const ClausePlan& clause : plan.clauses) clauses_.push_back(prepare(clause));
}

PreparedClause RecordDecoder::prepare(const ClausePlan& clause) const {
  PreparedClause prepared{.plan = &clause,
                          .record_size = std::max<size_t>(clause.record_size, sizeof(ds_record_header))};
  for (const ActionPlan& action : clause.actions) {
    PreparedAction ready{.plan = &action, .run = runner_of(action.action)};
    bool has_format = action.format >= 0;
    DS_CHECK(!has_format || static_cast<size_t>(action.format) < plan_.formats.size());
    // printa() binds its format to the keys of each aggregation instead.
    if (has_format && action.action != Action::Printa)
      ready.format.emplace(plan_.formats[static_cast<size_t>(action.format)], action.fields);
    prepared.record_size = std::max({prepared.record_size, end_of(action.fields), size_t{action.ran_offset} + 1});
    prepared.actions.push_back(std::move(ready));
  }
  for (const UpdatePlan& update : clause.updates)
    prepared.record_size = std::max({prepared.record_size, end_of(update.fields), size_t{update.ran_offset} + 1});
  return prepared;
}

void RecordDecoder::other_record(std::span<const std::byte> bytes) {
  ds_record_header header;
  if (bytes.size() < sizeof header) {
    ++damaged_records_;
    return;
  }
  std::memcpy(&header, bytes.data(), sizeof header);
  if (header.clause == DS_RECORD_FAULT) return fault(bytes);
  if (header.clause == DS_RECORD_COMMIT || header.clause == DS_RECORD_DISCARD) return end_speculation(header);
  if (!has_valid_layout(header, bytes.size())) {
    ++damaged_records_;
    return;
  }
  SpeculationBuffers::Fate fate = speculations_.fate_of(header.speculation);
  if (fate == SpeculationBuffers::Fate::Held) speculations_.hold(header.speculation, bytes);
  if (fate == SpeculationBuffers::Fate::Printed) writer_.row(clauses_[header.clause], header, bytes.data());
}

void RecordDecoder::end_speculation(const ds_record_header& header) {
  if (header.clause == DS_RECORD_DISCARD) return speculations_.discard(header.speculation);
  for (const SpeculationBuffers::Record& bytes : speculations_.commit(header.speculation)) {
    ds_record_header held;
    std::memcpy(&held, bytes.data(), sizeof held);
    writer_.row(clauses_[held.clause], held, bytes.data());
  }
  if (speculation_table_ != nullptr) speculation_table_->release(header.speculation & 0xffff);
}

void RecordDecoder::fault(std::span<const std::byte> bytes) {
  ds_fault_record fault;
  if (bytes.size() < sizeof fault) {
    ++damaged_records_;
    return;
  }
  std::memcpy(&fault, bytes.data(), sizeof fault);
  if (fault.header.probe_row >= plan_.probes.size()) {
    ++damaged_records_;
    return;
  }
  writer_.fault(fault);
}

}  // namespace dscope
