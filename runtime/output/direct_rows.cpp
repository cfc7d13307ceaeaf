#include "runtime/output/direct_rows.h"

#include "runtime/format/printf_formatter.h"

namespace dscope {

DirectRows::DirectRows(const ProgramPlan& plan, const OptionValues& options, const ValuePrinter& values,
                       OutputStream& out)
    : plan_(&plan), options_(&options), values_(&values), out_(&out) {}

// The text of a new probe's name may be longer than that of all earlier ones.
void DirectRows::notice_new_probes() {
  if (probe_count_ == plan_->probes.size()) return;
  probe_count_ = plan_->probes.size();
  for (std::vector<CompiledClause>& clauses : clauses_) clauses.clear();
}

const std::optional<DirectRows::ClauseSteps>& DirectRows::compile(const ClausePlan& clause, bool is_quiet) {
  std::vector<CompiledClause>& clauses = clauses_[is_quiet ? 1 : 0];
  clauses.resize(plan_->clauses.size());
  clauses[clause.number] = {.is_compiled = true, .steps = steps_of(clause, is_quiet)};
  return clauses[clause.number].steps;
}

std::optional<TextSteps> DirectRows::steps_of(const ActionPlan& action, bool is_quiet) const {
  if (action.action == Action::Trace) return trace_steps(action, *values_, is_quiet);
  if (action.action != Action::Printf || action.format < 0) return std::nullopt;
  return PreparedFormat{plan_->formats[static_cast<size_t>(action.format)], action.fields}.steps(*values_);
}

std::optional<DirectRows::ClauseSteps> DirectRows::steps_of(const ClausePlan& clause, bool is_quiet) const {
  ClauseSteps result;
  for (const ActionPlan& action : clause.actions) {
    std::optional<TextSteps> steps = steps_of(action, is_quiet);
    if (!steps) return std::nullopt;
    result.max_size += steps->max_size();
    result.has_traced_text |= steps->has_traced_text();
    result.has_trace |= action.action == Action::Trace;
    result.actions.push_back({.ran_offset = action.ran_offset, .steps = std::move(*steps)});
  }
  return result;
}

bool DirectRows::write(const PreparedClause& clause, const ds_record_header& header, const std::byte* record,
                       RowPrinter& rows) {
  notice_new_probes();
  bool is_quiet = is_on(OptionId::Quiet);
  const std::optional<ClauseSteps>& steps = steps_for(*clause.plan, is_quiet);
  if (!steps || is_on(OptionId::Flowindent)) return false;
  if (steps->has_traced_text && !values_->prints_text_unchanged()) return false;
  if (steps->has_trace && is_on(OptionId::Rawbytes)) return false;
  bool is_framed = clause.plan->has_record && !is_quiet;
  last_ = {.clause = clause.plan->number, .record_size = clause.record_size, .steps = &*steps, .is_framed = is_framed};
  return write_steps(*steps, is_framed, header, record, rows);
}

bool DirectRows::write_steps(const ClauseSteps& steps, bool is_framed, const ds_record_header& header,
                             const std::byte* record, RowPrinter& rows) {
  size_t size = steps.max_size;
  if (is_framed) {
    std::optional<size_t> frame = rows.frame_size(header.probe_row);
    if (!frame) return false;
    size += *frame;
  }
  char* start = out_->reserve(size);
  if (start == nullptr) return false;
  char* end = is_framed ? rows.write_prefix(start, header) : start;
  for (const ActionSteps& action : steps.actions)
    if (has_run(action.ran_offset, record)) end = action.steps.write(end, record, *values_);
  if (is_framed) *end++ = '\n';
  out_->commit(static_cast<size_t>(end - start));
  return true;
}

}  // namespace dscope
