#include "runtime/output/json_consumer.h"

#include "runtime/format/fault_reporter.h"
#include "runtime/format/output_format.h"
#include "runtime/output/json_actions.h"
#include "runtime/output/wall_clock.h"
#include "support/text/visible_text.h"

namespace dscope {

JsonConsumer::JsonConsumer(const ProgramPlan& plan, ConsumerSettings settings, AggregationSource& source,
                           Symbolizer& symbols, OutputStream& out, OutputStream& messages)
    : DecodingConsumer(plan, std::move(settings), source, symbols, out, messages),
      is_document_(output_format(options_) == OutputFormat::JsonDocument) {
  if (is_document_) out_.write("{\"dtrace\": {\"probes\": [");
}

// Events are array elements separated by commas, or lines.
void JsonConsumer::write(const std::string& event) {
  if (is_document_) out_.write(std::exchange(has_elements_, true) ? ",\n" : "\n");
  if (out_.is_terminal()) out_.write(without_controls_in_json(event));
  else out_.write(event);
  if (!is_document_) out_.write("\n");
}

Json JsonConsumer::event(const char* type) const {
  return Json::object({{"type", type}, {"timestamp", wall_clock_ns()}});
}

Json JsonConsumer::probe_event(const char* type, const ds_record_header& header) const {
  const ProbePlan& probe = plan_.probes[header.probe_row];
  Json result = event(type);
  result["cpu"] = header.cpu;
  result["id"] = probe.id;
  result["provider"] = json_text(probe.provider);
  result["module"] = json_text(probe.module);
  result["function"] = json_text(probe.function);
  result["name"] = json_text(probe.name);
  return result;
}

void JsonConsumer::row(const PreparedClause& clause, const ds_record_header& header, const std::byte* record) {
  prepare_aggregations(clause, header, record);
  Json output = Json::array();
  for (const PreparedAction& action : clause.actions)
    if (action.has_run(record)) append_action(output, action, record, services_);
  if (!clause.plan->has_record) return;
  Json result = probe_event("row", header);
  result["output"] = std::move(output);
  if (recorder_) recorder_->row(clause, header, record, result["output"].dump());
  write(result);
}

void JsonConsumer::fault(const ds_fault_record& fault) {
  Json result = probe_event("fault", fault.header);
  result["clause"] = fault.clause;
  result["code"] = fault.code;
  result["fault"] = fault_name(fault.code);
  result["value"] = fault.value;
  if (fault.site < plan_.fault_sites.size()) {
    const PlanPosition& position = plan_.fault_sites[fault.site];
    result["source"] =
        Json::object({{"file", json_text(position.unit)}, {"line", position.line}, {"column", position.column}});
  }
  // Strips the ": " that follows the empty program name, and the newline.
  std::string text = fault_text(plan_, fault, "", /*show_line=*/false);
  result["msg"] = json_text(std::string_view(text).substr(2, text.size() - 3));
  if (recorder_) recorder_->fault(fault, std::string_view(text).substr(2));
  write(result);
}

void JsonConsumer::report_drops(const DropCounters& totals) {
  std::vector<Drop> drops = drops_.new_drops(totals);
  if (recorder_) recorder_->drops(drops);
  for (const Drop& drop : drops) {
    Json result = event("drop");
    result["cpu"] = -1;
    result["id"] = -1;
    result["provider"] = "dtrace";
    result["module"] = "INTERNAL";
    result["function"] = "INTERNAL";
    result["name"] = "DROP";
    result["kind"] = drop.tag;
    result["count"] = drop.count;
    result["total"] = drop.total;
    if (drop.cpu) result["dropped-on"] = *drop.cpu;
    result["msg"] = drop.text;
    write(result);
  }
}

void JsonConsumer::write_aggregation(uint32_t id) {
  std::string text = aggregation_text(event("aggregation"), aggregations_, id, plan_.aggregations[id], values_);
  if (!text.empty()) write(text);
}

void JsonConsumer::write_last_aggregations() {
  prepare_last_aggregations();
  if (settings_.pictures.shows_aggregations) return;
  for (uint32_t id : aggregations_.unprinted()) write_aggregation(id);
}

void JsonConsumer::finish(bool print_aggregations) {
  if (print_aggregations) write_buffered_rows();
  if (is_document_) {
    out_.write("\n], \"aggregations\": [");
    has_elements_ = false;
  }
  if (print_aggregations) write_last_aggregations();
  int status = exit_status().value_or(0);
  if (recorder_) recorder_->finish(status);
  if (is_document_) {
    out_.write(fmt::format("\n], \"exit-status\": {}}}}}\n", status));
  } else {
    Json result = event("exit");
    result["status"] = status;
    write(result);
  }
  out_.flush();
  report_damage();
  messages_.flush();
}

}  // namespace dscope
