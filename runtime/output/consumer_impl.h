// TextConsumer: the Consumer that writes the text forms of consumer-and-actions.md. A record becomes a row by the
// layout of its clause: prefix, what each action appends, row end; the row goes to the stream as one piece.
#pragma once

#include <string>
#include <vector>

#include "runtime/actions/actions.h"
#include "runtime/aggregations/aggregation_set.h"
#include "runtime/output/consumer.h"
#include "runtime/output/drop_reporter.h"
#include "runtime/output/row_printer.h"
#include "runtime/output/speculation_buffers.h"
#include "runtime/output/value_printer.h"

namespace dscope {

class TextConsumer final : public Consumer {
 public:
  TextConsumer(const ProgramPlan& plan, ConsumerSettings settings, AggregationSource& source, Symbolizer& symbols,
               OutputStream& out, OutputStream& messages);

  void begin_pass() override;
  void record(std::span<const std::byte> bytes) override;
  void report_drops(const DropCounters& totals) override;
  void interrupted() override;
  void finish(bool print_aggregations) override;
  std::optional<int> exit_status() const override { return exit_status_; }
  const OptionValues& options() const override { return options_; }

 private:
  // Layouts made ready once: what to run, formats bound to fields, how long a record must be.
  struct PreparedAction {
    const ActionPlan* plan;
    RunAction run;
    std::optional<PreparedFormat> format;
  };
  struct PreparedClause {
    const ClausePlan* plan;
    size_t record_size = 0;
    std::vector<PreparedAction> actions;
  };

  PreparedClause prepare(const ClausePlan& clause) const;
  void fault(std::span<const std::byte> bytes);
  void end_speculation(const ds_record_header& header);
  bool is_known(const ds_record_header& header, size_t size) const;
  void clause_record(const PreparedClause& clause, const ds_record_header& header, const std::byte* record);
  bool is_end_probe(uint32_t probe_row) const;
  bool is_for_people() const;

  const ProgramPlan& plan_;
  ConsumerSettings settings_;
  OutputStream& out_;
  OutputStream& messages_;
  OptionValues options_;  // of the run: dynamic ones may change while it lasts
  ValuePrinter values_;
  AggregationSet aggregations_;
  RowPrinter rows_;
  DropReporter drops_;
  std::optional<int> exit_status_;
  ActionServices services_;
  std::vector<PreparedClause> clauses_;
  SpeculationBuffers speculations_;
  std::string row_;  // reused, so that rows allocate nothing
  uint64_t damaged_records_ = 0;
};

}  // namespace dscope
