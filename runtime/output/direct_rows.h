// DirectRows: writes rows of the text format straight into the buffer of the output stream, without a copy. Covers
// clauses whose actions are printf() and trace() of common values, or that have no actions. Other rows need strings.
#pragma once

#include <array>
#include <optional>
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
  const std::optional<ClauseSteps>& steps_for(const ClausePlan& clause, bool is_quiet);
  std::optional<ClauseSteps> steps_of(const ClausePlan& clause, bool is_quiet) const;
  std::optional<TextSteps> steps_of(const ActionPlan& action, bool is_quiet) const;
  bool is_on(OptionId id) const { return options_->number(id) > 0; }

  const ProgramPlan* plan_;
  const OptionValues* options_;
  const ValuePrinter* values_;
  OutputStream* out_;
  // Nothing for clauses whose rows need strings. A clause is compiled with its first row.
  struct CompiledClause {
    bool is_compiled = false;
    std::optional<ClauseSteps> steps;
  };
  std::array<std::vector<CompiledClause>, 2> clauses_;  // the second with option quiet, which changes trace()
  size_t probe_count_ = 0;                              // when the clauses were compiled
};

}  // namespace dscope
