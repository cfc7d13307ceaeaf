// DecodingConsumer: the part that consumers of all output formats share: the decoder, the state that actions change,
// the aggregations. Derived classes write rows, faults, drops and the end of the run in their format.
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
#include "runtime/output/run_recorder.h"

namespace dscope {

class DecodingConsumer : public Consumer, protected RowWriter {
 public:
  void begin_pass() override;
  void record(std::span<const std::byte> bytes) override { decoder_.record(bytes); }
  std::optional<int> exit_status() const override { return exit_status_; }
  const OptionValues& options() const override { return options_; }
  void update_pictures() override {
    if (recorder_) recorder_->poll();
  }
  std::chrono::steady_clock::time_point pictures_due() const override {
    return recorder_ ? recorder_->due() : Consumer::pictures_due();
  }

 protected:
  DecodingConsumer(const ProgramPlan& plan, ConsumerSettings settings, AggregationSource& source, Symbolizer& symbols,
                   OutputStream& out, OutputStream& messages);

  // Writes the rows that wait for the end of the run (bufpolicy fill and ring). First step of finish().
  void write_buffered_rows();
  // Applies the aggregation updates of a record. Call before its actions run.
  void prepare_aggregations(const PreparedClause& clause, const ds_record_header& header, const std::byte* record) {
    if (!plan_.aggregations.empty()) update_aggregations(clause, header, record);
  }
  // Call after the last record: makes aggregations take their last snapshot.
  void prepare_last_aggregations();
  // Reports on the message stream how many damaged records were skipped, if any.
  void report_damage();

  const ProgramPlan& plan_;
  ConsumerSettings settings_;
  OutputStream& out_;
  OutputStream& messages_;
  OptionValues options_;  // setopt() changes dynamic ones during the run
  ValuePrinter values_;
  ValuePrinter key_values_;  // of aggregation keys
  RecordedElements recorded_;
  AggregationSet aggregations_;
  DropReporter drops_;
  std::optional<int> exit_status_;
  PacketDissector packets_;
  ActionServices services_;
  std::optional<RunRecorder> recorder_;  // if the run has pictures

 private:
  void update_aggregations(const PreparedClause& clause, const ds_record_header& header, const std::byte* record);

  std::optional<RowHistory> history_;  // with bufpolicy fill and ring
  RecordDecoder decoder_;
};

}  // namespace dscope
