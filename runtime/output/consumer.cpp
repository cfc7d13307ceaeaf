#include "runtime/output/consumer.h"

#include <cstring>

#include "runtime/output/consumer_impl.h"
#include "runtime/output/fault_reporter.h"
#include "runtime/output/output_format.h"
#include "support/check.h"

namespace dscope {

namespace {

size_t end_of(const std::vector<Field>& fields) {
  size_t end = 0;
  for (const Field& field : fields) end = std::max(end, size_t{field.offset} + field.size);
  return end;
}

}  // namespace

std::unique_ptr<Consumer> Consumer::create(const ProgramPlan& plan, ConsumerSettings settings,
                                           AggregationSource& source, Symbolizer& symbols, OutputStream& out,
                                           OutputStream& messages) {
  return std::make_unique<TextConsumer>(plan, std::move(settings), source, symbols, out, messages);
}

TextConsumer::TextConsumer(const ProgramPlan& plan, ConsumerSettings settings, AggregationSource& source,
                           Symbolizer& symbols, OutputStream& out, OutputStream& messages)
    : plan_(plan),
      settings_(std::move(settings)),
      out_(out),
      messages_(messages),
      options_(plan.options),
      values_(plan, options_, symbols, settings_.target_tgid, out.is_terminal()),
      aggregations_(plan, values_, source, messages, settings_.program_name),
      rows_(plan, options_, settings_.is_testing),
      drops_(settings_.program_name, options_.is_on(OptionId::Droptags)),
      services_{plan, values_, aggregations_, exit_status_, options_, messages_, settings_.program_name} {
  for (const AggregationPlan& aggregation : plan.aggregations)
    DS_CHECK(end_of(aggregation.keys) <= aggregation.key_size);
  for (const ClausePlan& clause : plan.clauses) clauses_.push_back(prepare(clause));
}

TextConsumer::PreparedClause TextConsumer::prepare(const ClausePlan& clause) const {
  PreparedClause prepared{.plan = &clause,
                          .record_size = std::max<size_t>(clause.record_size, sizeof(ds_record_header))};
  for (const ActionPlan& action : clause.actions) {
    PreparedAction ready{.plan = &action, .run = runner_of(action.action)};
    bool has_format = action.format >= 0;
    DS_CHECK(!has_format || static_cast<size_t>(action.format) < plan_.formats.size());
    // printa binds its format to the keys of each aggregation instead.
    if (has_format && action.action != Action::Printa)
      ready.format.emplace(plan_.formats[static_cast<size_t>(action.format)], action.fields);
    prepared.record_size = std::max({prepared.record_size, end_of(action.fields), size_t{action.ran_offset} + 1});
    prepared.actions.push_back(std::move(ready));
  }
  return prepared;
}

void TextConsumer::begin_pass() {
  messages_.flush();
  rows_.begin_pass();
  aggregations_.begin_pass();
}

bool TextConsumer::is_end_probe(uint32_t probe_row) const {
  const ProbePlan& probe = plan_.probes[probe_row];
  return probe.name == "END" && probe.provider == "dtrace";
}

void TextConsumer::record(std::span<const std::byte> bytes) {
  ds_record_header header;
  if (bytes.size() < sizeof header) {
    ++damaged_records_;
    return;
  }
  std::memcpy(&header, bytes.data(), sizeof header);
  if (header.clause == DS_RECORD_FAULT) return fault(bytes);
  if (header.clause == DS_RECORD_COMMIT || header.clause == DS_RECORD_DISCARD) return end_speculation(header);
  if (!is_known(header, bytes.size())) {
    ++damaged_records_;
    return;
  }
  if (header.speculation != 0) {
    SpeculationBuffers::Fate fate = speculations_.fate_of(header.speculation);
    if (fate == SpeculationBuffers::Fate::Held) speculations_.hold(header.speculation, bytes);
    if (fate != SpeculationBuffers::Fate::Printed) return;
  }
  clause_record(clauses_[header.clause], header, bytes.data());
}

bool TextConsumer::is_known(const ds_record_header& header, size_t size) const {
  return header.clause < clauses_.size() && header.probe_row < plan_.probes.size() &&
         size >= clauses_[header.clause].record_size;
}

void TextConsumer::end_speculation(const ds_record_header& header) {
  if (header.clause == DS_RECORD_DISCARD) return speculations_.discard(header.speculation);
  for (const SpeculationBuffers::Record& bytes : speculations_.commit(header.speculation)) {
    ds_record_header held;
    std::memcpy(&held, bytes.data(), sizeof held);
    clause_record(clauses_[held.clause], held, bytes.data());
  }
  if (settings_.speculations != nullptr) settings_.speculations->release(header.speculation & 0xffff);
}

void TextConsumer::fault(std::span<const std::byte> bytes) {
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
  messages_.write(fault_text(plan_, fault, settings_.program_name, settings_.show_fault_lines));
}

void TextConsumer::clause_record(const PreparedClause& clause, const ds_record_header& header,
                                 const std::byte* record) {
  // Nothing runs after END, so that its printa() must not show an old snapshot.
  if (!plan_.aggregations.empty() && is_end_probe(header.probe_row)) aggregations_.ignore_rate();
  row_.clear();
  if (clause.plan->has_record) rows_.begin_row(row_, header);
  for (const PreparedAction& action : clause.actions) {
    if (action.plan->ran_offset != 0 && record[action.plan->ran_offset] == std::byte{0}) continue;
    action.run({*action.plan, action.format ? &*action.format : nullptr, record}, services_, row_);
  }
  if (clause.plan->has_record) rows_.end_row(row_);
  out_.write(row_);
}

void TextConsumer::report_drops(const DropCounters& totals) { drops_.report(totals, messages_); }

void TextConsumer::interrupted() {
  if (!settings_.is_testing && is_for_people()) out_.write("\n");
}

bool TextConsumer::is_for_people() const { return output_format(options_) == OutputFormat::Text; }

void TextConsumer::finish(bool print_aggregations) {
  if (is_for_people()) out_.write("\n");
  aggregations_.begin_pass();
  aggregations_.ignore_rate();
  if (print_aggregations) aggregations_.print_unprinted(out_);
  out_.flush();
  if (damaged_records_ != 0)
    messages_.write(fmt::format("{}: {} damaged record{} skipped\n", settings_.program_name, damaged_records_,
                                damaged_records_ == 1 ? "" : "s"));
  messages_.flush();
}

}  // namespace dscope
