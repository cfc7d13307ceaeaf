// TextConsumer: writes the text formats of consumer-and-actions.md, and CSV and folded stacks. A row of text is a
// prefix, the text of each action, and a row end; it is written to the stream as one piece.
#pragma once

#include <string>

#include "runtime/output/decoding_consumer.h"
#include "runtime/output/direct_rows.h"
#include "runtime/output/drop_advice.h"
#include "runtime/output/fault_tally.h"
#include "runtime/output/row_printer.h"
#include "runtime/output/value_rows.h"

namespace dscope {

class TextConsumer final : public DecodingConsumer {
 public:
  TextConsumer(const ProgramPlan& plan, ConsumerSettings settings, AggregationSource& source, Symbolizer& symbols,
               OutputStream& out, OutputStream& messages);

  void begin_pass() override;
  void record(std::span<const std::byte> bytes) override;
  void report_drops(const DropCounters& totals) override;
  void interrupted() override;
  void finish(bool print_aggregations) override;

 private:
  void row(const PreparedClause& clause, const ds_record_header& header, const std::byte* record) override;
  void append_row(const PreparedClause& clause, const ds_record_header& header, const std::byte* record);
  void append_actions(const PreparedClause& clause, const std::byte* record);
  void fault(const ds_fault_record& fault) override;
  // The output is a picture, which is made of what RunRecorder sends; rows are messages.
  bool is_picture_;
  bool may_repeat_rows_;  // rows depend only on records and options
  bool is_decorated_;     // rows are surrounded by newlines for readability; false for csv and folded
  RowPrinter rows_;
  DirectRows direct_rows_;
  ValueRows value_rows_;
  FaultTally faults_;
  DropAdvice advice_;
  uint64_t needed_scratchsize_ = 0;  // the size that all copies that faulted need; 0: none has faulted
  std::string row_;                  // reused between rows to avoid allocations
};

}  // namespace dscope
