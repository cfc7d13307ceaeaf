#include "runtime/output/decoding_consumer.h"

namespace dscope {

DecodingConsumer::DecodingConsumer(const ProgramPlan& plan, ConsumerSettings settings, AggregationSource& source,
                                   Symbolizer& symbols, OutputStream& out, OutputStream& messages)
    : plan_(plan),
      settings_(std::move(settings)),
      out_(out),
      messages_(messages),
      options_(plan.options),
      values_(plan, options_, symbols, settings_.target_tgid, out),
      aggregations_(plan, values_, source, messages, settings_.program_name),
      services_{plan, values_, aggregations_, exit_status_, options_, out_, messages_, settings_.program_name},
      decoder_(plan, settings_.speculations, *this) {}

void DecodingConsumer::begin_pass() {
  messages_.flush();
  aggregations_.begin_pass();
}

void DecodingConsumer::prepare_aggregations(const ds_record_header& header) {
  const ProbePlan& probe = plan_.probes[header.probe_row];
  // Nothing runs after END, so that its printa() must not show an old snapshot.
  if (!plan_.aggregations.empty() && probe.name == "END" && probe.provider == "dtrace") aggregations_.ignore_rate();
}

void DecodingConsumer::prepare_last_aggregations() {
  aggregations_.begin_pass();
  aggregations_.ignore_rate();
}

void DecodingConsumer::report_damage() {
  uint64_t damaged = decoder_.damaged_records();
  if (damaged == 0) return;
  messages_.write(
      fmt::format("{}: {} damaged record{} skipped\n", settings_.program_name, damaged, damaged == 1 ? "" : "s"));
}

}  // namespace dscope
