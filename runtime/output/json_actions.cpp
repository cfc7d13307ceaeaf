#include "runtime/output/json_actions.h"

#include <algorithm>

#include "runtime/output/json_object.h"

namespace dscope {

namespace {

void append_values(Json& output, const RecordedAction& call, const ActionServices& services) {
  for (const Field& field : call.plan.fields)
    output.push_back(Json::object({{"value", value_json(field, call.record, services.values)}}));
}

// Stacks and symbols are objects with members of their own, not {"value": ...}.
void append_objects(Json& output, const RecordedAction& call, const ActionServices& services) {
  for (const Field& field : call.plan.fields) output.push_back(value_json(field, call.record, services.values));
}

void append_trace(Json& output, const RecordedAction& call, const ActionServices& services) {
  const Field* field = call.field(0);
  bool is_value = field && (field->kind == FieldKind::Integer || field->kind == FieldKind::String ||
                            is_numbered_text(field->kind) || field->kind == FieldKind::Bytes);
  if (is_value) append_values(output, call, services);
  else append_objects(output, call, services);
}

void append_message(Json& output, const std::string& text) {
  output.push_back(Json::object({{"message", json_text(text)}}));
}

void append_item(Json& output, Action action, Json content) {
  output.push_back(Json::object({{std::string(row(action).name), std::move(content)}}));
}

void append_packet(Json& output, const RecordedAction& call) {
  std::optional<Packet> packet = recorded_packet(call);
  if (!packet) return;
  Json content = Json::object({{"time", packet->time_ns}, {"protocol", packet->protocol}, {"length", packet->length}});
  content.update(bytes_json(packet->bytes));
  append_item(output, call.plan.action, std::move(content));
}

// One item per aggregation, each with its elements in the order in which printa() prints them.
void append_aggregations(Json& output, const RecordedAction& call, const ActionServices& services) {
  std::vector<Json> items;
  for (uint32_t id : call.plan.aggregations) {
    if (!services.aggregations.has(id)) return;
    items.push_back(aggregation_json(services.plan.aggregations[id], services.aggregations.normal(id)));
    items.back()["aggregation-data"] = Json::array();
  }
  services.aggregations.visit(call.plan.aggregations, [&](const AggregationLine& line) {
    for (size_t i = 0; i < items.size(); ++i)
      if (line.values[i].entry != nullptr)
        items[i]["aggregation-data"].push_back(element_json(line, line.values[i], services.values));
  });
  for (Json& item : items) output.push_back(std::move(item));
}

// True if the text of a printa() would repeat the buckets of a distribution as a histogram.
bool prints_histogram(const RecordedAction& call, const ActionServices& services) {
  size_t nth = 0;
  const std::vector<uint32_t>& ids = call.plan.aggregations;
  for (const FormatPiece& piece : services.plan.formats[static_cast<size_t>(call.plan.format)].pieces) {
    if (!piece.is_aggregation_value || ids.empty()) continue;
    uint32_t id = ids[std::min(nth++, ids.size() - 1)];
    bool is_histogram = services.aggregations.has(id) && is_distribution(services.plan.aggregations[id].function);
    if (is_histogram && !piece.percentile) return true;
  }
  return false;
}

}  // namespace

void append_action(Json& output, const PreparedAction& action, const std::byte* record,
                   const ActionServices& services) {
  RecordedAction call = action.call(record);
  auto run = [&] {
    std::string text;
    action.run(call, services, text);
    return text;
  };
  switch (call.plan.action) {
    case Action::Trace: return append_trace(output, call, services);
    case Action::Print: return append_item(output, Action::Print, printed_json(call, services));
    case Action::Tracemem: return append_item(output, Action::Tracemem, bytes_json(traced_memory(call)));
    case Action::Printf: append_message(output, run()); return append_values(output, call, services);
    case Action::Printa:
      if (call.plan.format >= 0 && !prints_histogram(call, services)) append_message(output, run());
      return append_aggregations(output, call, services);
    case Action::Pcap:
      // A packet written to the file of freopen() has no text.
      if (!run().empty()) append_packet(output, call);
      return;
    case Action::Func:
    case Action::Jstack:
    case Action::Mod:
    case Action::Stack:
    case Action::Sym:
    case Action::Uaddr:
    case Action::Ufunc:
    case Action::Umod:
    case Action::Ustack:
    case Action::Usym: return append_objects(output, call, services);
    case Action::Breakpoint:
    case Action::Cat:
    case Action::Chill:
    case Action::Clear:
    case Action::Commit:
    case Action::Denormalize:
    case Action::Discard:
    case Action::Exit:
    case Action::Freopen:
    case Action::Ftruncate:
    case Action::Normalize:
    case Action::Panic:
    case Action::Raise:
    case Action::Setopt:
    case Action::Snapshot:
    case Action::Speculate:
    case Action::Stop:
    case Action::System:
    case Action::Trunc:
      // The text, if the action prints any.
      if (std::string text = run(); !text.empty()) append_message(output, text);
  }
}

}  // namespace dscope
