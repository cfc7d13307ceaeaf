// printa(), clear(), trunc(), normalize(), denormalize() (consumer-and-actions.md 3.11, 3.12, 5.8). They act on the
// consumer's snapshot when the record arrives.
#include "runtime/actions/actions.h"
#include "runtime/format/value.h"

namespace dscope {

namespace {

// The id of the first aggregation that the action names; nothing if the plan lacks it.
std::optional<uint32_t> first_aggregation(const RecordedAction& call, const ActionServices& services) {
  if (call.plan.aggregations.empty() || !services.aggregations.has(call.plan.aggregations[0])) return std::nullopt;
  return call.plan.aggregations[0];
}

}  // namespace

void run_Printa(const RecordedAction& call, const ActionServices& services, std::string& out) {
  if (!first_aggregation(call, services)) return;
  int32_t format = call.plan.format;
  services.aggregations.printa(out, call.plan.aggregations,
                               format < 0 ? nullptr : &services.plan.formats[static_cast<size_t>(format)]);
}

void run_Clear(const RecordedAction& call, const ActionServices& services, std::string&) {
  if (auto id = first_aggregation(call, services)) services.aggregations.clear(*id);
}

void run_Trunc(const RecordedAction& call, const ActionServices& services, std::string&) {
  auto id = first_aggregation(call, services);
  if (!id) return;
  const Field* count = call.field(0);
  services.aggregations.truncate(*id, count ? std::optional{load_integer(*count, call.record)} : std::nullopt);
}

void run_Normalize(const RecordedAction& call, const ActionServices& services, std::string&) {
  auto id = first_aggregation(call, services);
  const Field* normal = call.field(0);
  if (id && normal) services.aggregations.normalize(*id, static_cast<uint64_t>(load_integer(*normal, call.record)));
}

void run_Denormalize(const RecordedAction& call, const ActionServices& services, std::string&) {
  if (auto id = first_aggregation(call, services)) services.aggregations.denormalize(*id);
}

}  // namespace dscope
