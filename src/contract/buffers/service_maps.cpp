#include "contract/buffers/service_maps.h"

#include <algorithm>
#include <string>

#include "contract/record_format.h"
#include "support/format.h"

namespace dscope {

namespace {

// Equal for the programs of two runs at the same hook. `order` is how the kernel adds programs to hooks of this kind;
// a perf event belongs to one run, so its samples are not events of both.
struct HookOrder {
  std::string name;
  uint32_t order = DS_ORDER_UNKNOWN;
};

HookOrder describe(const HookRawTracepoint& hook) { return {"raw " + hook.name, DS_ORDER_OLD_FIRST}; }
HookOrder describe(const HookTracepoint& hook) {
  return {fmt::format("tracepoint {}:{}", hook.category, hook.name), DS_ORDER_OLD_FIRST};
}
HookOrder describe(const HookUprobe& hook) {
  return {fmt::format("uprobe {} {} {}", hook.path, hook.offset, static_cast<int>(hook.position)), DS_ORDER_NEW_FIRST};
}
HookOrder describe(const HookFunction& hook) {
  bool has_trampoline =
      hook.mechanism == FunctionMechanism::Trampoline || hook.mechanism == FunctionMechanism::Security;
  return {fmt::format("function {} {} {} {}", hook.module, hook.function, hook.offset, hook.is_return),
          has_trampoline ? uint32_t{DS_ORDER_NEW_FIRST} : uint32_t{DS_ORDER_UNKNOWN}};
}
HookOrder describe(const auto&) { return {}; }

HookOrder order_of(const BpfProgramPlan& program) {
  if (program.attachments.empty()) return {};
  return std::visit([](const auto& hook) { return describe(hook); }, program.attachments.front().hook);
}

uint32_t hash_of(std::string_view text) {
  uint32_t hash = 2166136261;  // FNV-1a
  for (char letter : text) hash = (hash ^ static_cast<unsigned char>(letter)) * 16777619;
  return hash;
}

}  // namespace

bool is_for_service(const OptionValues& options) {
  return options.is_on(OptionId::Served) || options.is_set(OptionId::Metric);
}

bool is_handled_by_script(const ProgramPlan& plan, uint32_t aggregation) {
  return std::ranges::any_of(plan.clauses, [&](const ClausePlan& clause) {
    return std::ranges::any_of(clause.actions, [&](const ActionPlan& action) {
      return std::ranges::find(action.aggregations, aggregation) != action.aggregations.end();
    });
  });
}

OverflowLayout overflow_layout(const ProgramPlan& plan) {
  OverflowLayout layout;
  for (uint32_t id = 0; id < plan.aggregations.size(); ++id) {
    const AggregationPlan& aggregation = plan.aggregations[id];
    layout.offsets.emplace_back();
    if (aggregation.key_size == 0 || aggregation.map.empty() || is_handled_by_script(plan, id)) continue;
    layout.offsets.back() = layout.size;
    layout.size += aggregation.value_size;
  }
  return layout;
}

void add_service_maps(ProgramPlan& plan, uint32_t cpu_count) {
  if (uint32_t size = overflow_layout(plan).size; size != 0)
    plan.maps.push_back(
        {.name = "ds_overflow", .kind = MapKind::Array, .key_size = 4, .value_size = size, .max_entries = cpu_count});
  plan.maps.push_back({.name = "ds_handover",
                       .kind = MapKind::Array,
                       .key_size = 4,
                       .value_size = sizeof(ds_handover),
                       .max_entries = 1,
                       .is_direct = true,
                       .is_mmapable = true});
}

// A run may have several programs at a hook.
HandoverRole handover_role(const ProgramPlan& plan, size_t program) {
  HookOrder own = order_of(plan.programs[program]);
  size_t before = 0;
  for (size_t i = 0; i < program; ++i)
    if (order_of(plan.programs[i]).name == own.name) ++before;
  return {.order = own.order, .slot = hash_of(fmt::format("{} {}", own.name, before))};
}

}  // namespace dscope
