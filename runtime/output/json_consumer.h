// JsonConsumer: writes rows, faults, drops, aggregations and the end of the run as JSON objects (docs/json-output.md),
// one per line or all in one document.
#pragma once

#include "runtime/output/decoding_consumer.h"
#include "runtime/output/json_value.h"

namespace dscope {

class JsonConsumer final : public DecodingConsumer {
 public:
  JsonConsumer(const ProgramPlan& plan, ConsumerSettings settings, AggregationSource& source, Symbolizer& symbols,
               OutputStream& out, OutputStream& messages);

  void report_drops(const DropCounters& totals) override;
  void interrupted() override {}
  void finish(bool print_aggregations) override;

 private:
  void row(const PreparedClause& clause, const ds_record_header& header, const std::byte* record) override;
  void fault(const ds_fault_record& fault) override;
  void write_aggregation(uint32_t id);
  void write_last_aggregations();

  // {"type": ..., "timestamp": ...}
  Json event(const char* type) const;
  // event() with the CPU and the identity of the probe that fired.
  Json probe_event(const char* type, const ds_record_header& header) const;
  void write(const Json& event) { write(event.dump()); }
  void write(const std::string& event);

  bool is_document_;
  bool has_elements_ = false;  // the array that is being written is not empty
};

}  // namespace dscope
