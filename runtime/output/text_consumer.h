// TextConsumer: the Consumer that writes the text forms of consumer-and-actions.md. A row is a prefix, what each action
// appends, and a row end; it goes to the stream as one piece.
#pragma once

#include <string>

#include "runtime/output/decoding_consumer.h"
#include "runtime/output/row_printer.h"

namespace dscope {

class TextConsumer final : public DecodingConsumer {
 public:
  TextConsumer(const ProgramPlan& plan, ConsumerSettings settings, AggregationSource& source, Symbolizer& symbols,
               OutputStream& out, OutputStream& messages);

  void begin_pass() override;
  void report_drops(const DropCounters& totals) override;
  void interrupted() override;
  void finish(bool print_aggregations) override;

 private:
  void row(const PreparedClause& clause, const ds_record_header& header, const std::byte* record) override;
  void fault(const ds_fault_record& fault) override;
  // False for the forms without decoration: csv and folded.
  bool is_for_people() const;

  RowPrinter rows_;
  std::string row_;  // reused, so that rows allocate nothing
};

}  // namespace dscope
