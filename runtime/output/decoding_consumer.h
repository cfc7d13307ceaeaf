// DecodingConsumer: what consumers of all output forms share: the decoder, the state that actions change, the
// aggregations. Derived classes write rows, faults, drops and the end of the run in their form.
#pragma once

#include <optional>

#include "runtime/actions/actions.h"
#include "runtime/aggregations/aggregation_set.h"
#include "runtime/aggregations/recorded_elements.h"
#include "runtime/format/value_printer.h"
#include "runtime/output/consumer.h"
#include "runtime/output/drop_reporter.h"
#include "runtime/output/record_decoder.h"
#include "runtime/output/row_history.h"

namespace dscope {

class DecodingConsumer : public Consumer, protected RowWriter {
 public:
  void begin_pass() override;
  void record(std::span<const std::byte> bytes) override { decoder_.record(bytes); }
  std::optional<int> exit_status() const override { return exit_status_; }
  const OptionValues& options() const override { return options_; }

 protected:
  DecodingConsumer(const ProgramPlan& plan, ConsumerSettings settings, AggregationSource& source, Symbolizer& symbols,
                   OutputStream& out, OutputStream& messages);

  // Rows that wait for the end (bufpolicy fill and ring): finish() begins with them.
  void write_kept_rows();
  // Before the actions of a row run: what the record says of aggregations.
  void prepare_aggregations(const PreparedClause& clause, const ds_record_header& header, const std::byte* record);
  // After the last record: aggregations are read once more.
  void prepare_last_aggregations();
  // Says on the message stream how many records were skipped, if any were.
  void report_damage();

  const ProgramPlan& plan_;
  ConsumerSettings settings_;
  OutputStream& out_;
  OutputStream& messages_;
  OptionValues options_;  // of the run: dynamic ones may change while it lasts
  ValuePrinter values_;
  RecordedElements recorded_;
  AggregationSet aggregations_;
  DropReporter drops_;
  std::optional<int> exit_status_;
  PacketDissector packets_;
  ActionServices services_;

 private:
  std::optional<RowHistory> history_;  // with bufpolicy fill and ring
  RecordDecoder decoder_;
};

}  // namespace dscope
