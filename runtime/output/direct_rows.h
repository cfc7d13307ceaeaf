// DirectRows: writes rows of the text format straight into the buffer of the output stream, without a copy. Covers
// clauses whose actions are printf() and trace() of common values, or that have no actions. Other rows need strings.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "runtime/format/text_steps.h"
#include "runtime/output/record_decoder.h"
#include "runtime/output/row_printer.h"

namespace dscope {

class DirectRows {
 public:
  // The references must outlive this object. `options` may change between rows.
  DirectRows(const ProgramPlan& plan, const OptionValues& options, const ValuePrinter& values, OutputStream& out);

  // Writes the row of a record, its prefix and end by `rows`. Returns false, without having written anything, if the
  // row cannot be written this way.
  bool write(const PreparedClause& clause, const ds_record_header& header, const std::byte* record, RowPrinter& rows);
  // write() for a record of the same clause as the last row that write() has written. Returns false also for
  // speculative and damaged records, and for those of new probes. The record is at least as long as its header.
  bool write_like_last(const ds_record_header& header, std::span<const std::byte> record, RowPrinter& rows) {
    if (header.clause != last_.clause || header.speculation != 0 || record.size() < last_.record_size ||
        header.probe_row >= probe_count_)
      return false;
    return write_steps(*last_.steps, last_.is_framed, header, record.data(), rows);
  }
  // Call this before a record that may change options or the output, and whenever they may have changed.
  void forget_last() { last_ = {}; }

 private:
  struct ActionSteps {
    uint32_t ran_offset;  // ActionPlan::ran_offset
    TextSteps steps;
  };
  struct ClauseSteps {
    std::vector<ActionSteps> actions;
    size_t max_size = 0;  // bytes of all actions together
    bool has_traced_text = false;
    bool has_trace = false;  // some action is trace()
  };
  struct CompiledClause {
    bool is_compiled = false;
    std::optional<ClauseSteps> steps;  // nothing for clauses whose rows need strings
  };
  const std::optional<ClauseSteps>& steps_for(const ClausePlan& clause, bool is_quiet) {
    std::vector<CompiledClause>& clauses = clauses_[is_quiet ? 1 : 0];
    if (clause.number < clauses.size() && clauses[clause.number].is_compiled) return clauses[clause.number].steps;
    return compile(clause, is_quiet);
  }
  void notice_new_probes();
  bool write_steps(const ClauseSteps& steps, bool is_framed, const ds_record_header& header, const std::byte* record,
                   RowPrinter& rows);
  const std::optional<ClauseSteps>& compile(const ClausePlan& clause, bool is_quiet);
  std::optional<ClauseSteps> steps_of(const ClausePlan& clause, bool is_quiet) const;
  std::optional<TextSteps> steps_of(const ActionPlan& action, bool is_quiet) const;
  bool is_on(OptionId id) const { return options_->number(id) > 0; }

  const ProgramPlan* plan_;
  const OptionValues* options_;
  const ValuePrinter* values_;
  OutputStream* out_;
  // A clause is compiled with its first row. The second table is for option quiet, which changes trace().
  std::array<std::vector<CompiledClause>, 2> clauses_;
  size_t probe_count_ = 0;  // when the clauses were compiled
  struct LastRow {
    uint32_t clause = 0;
    size_t record_size = SIZE_MAX;  // no record is like no row
    const ClauseSteps* steps = nullptr;
    bool is_framed = false;
  };
  LastRow last_;
};

}  // namespace dscope
