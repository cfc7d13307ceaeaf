// The maps besides variables and aggregations: the buffer for records, the state of the run, counters of lost data.
#include <algorithm>

#include "contract/buffer_policy.h"
#include "contract/machine_state.h"
#include "contract/record_format.h"
#include "frontend/plan_layout.h"
#include "frontend/walk.h"

namespace dscope {

namespace {

constexpr int64_t most_ring = 1 << 30;

bool uses_speculations(const Semantics& meaning) {
  bool is_used = false;
  walk_program(meaning, [&](const Expr& expr, const ClauseInstance& clause) {
    const Binding& binding = meaning.info(clause, expr).binding;
    const auto* subroutine = std::get_if<Subroutine>(&binding);
    const auto* action = std::get_if<Action>(&binding);
    is_used |= subroutine != nullptr && *subroutine == Subroutine::Speculation;
    is_used |= action != nullptr && row(*action).effect == ActionEffect::Speculative;
  });
  return is_used;
}

// BEGIN, END, ERROR of those, and ticks by the consumer's timer.
bool records_at_its_own_pace(const ProgramPlan& plan) {
  return std::all_of(plan.programs.begin(), plan.programs.end(), [](const BpfProgramPlan& program) {
    return program.context == BpfContext::RawTracepoint &&
           std::all_of(program.attachments.begin(), program.attachments.end(), [](const Attachment& attachment) {
             return std::holds_alternative<HookTestRun>(attachment.hook) ||
                    std::holds_alternative<HookTimer>(attachment.hook);
           });
  });
}

int64_t own_pace_ring(const ProgramPlan& plan) {
  constexpr int64_t least = 256 << 10, times = 8;
  int64_t once = 0;
  for (const ClausePlan& clause : plan.clauses)
    once += std::max<int64_t>(clause.record_size, sizeof(ds_fault_record)) + DS_RECORD_OVERHEAD;
  return std::max(least, once * times);
}

MapPlan ring(const ProgramPlan& plan, const OptionValues& options, const MachineFacts& facts) {
  bool has_records = std::any_of(plan.clauses.begin(), plan.clauses.end(),
                                 [](const ClausePlan& clause) { return clause.has_record || !clause.updates.empty(); });
  auto per_cpu = static_cast<int64_t>(buffer_size(options));
  // With the other policies the ring is only the way to the consumer, which keeps what belongs in the buffer.
  if (buffer_policy(options) != BufferPolicy::Switch) per_cpu = std::max(per_cpu, row(OptionId::Bufsize).default_value);
  // Only fault reports and exit() need the ring of a program that records nothing.
  if (!has_records) per_cpu = std::min<int64_t>(per_cpu, 64 << 10);
  // Probes that the consumer fires itself are on one CPU at a time, and cannot outrun it: room for all their records a
  // few times over is plenty.
  bool is_own_pace = records_at_its_own_pace(plan);
  int64_t cpus = is_own_pace ? 1 : std::max(1U, facts.cpu_count);
  auto size = std::min<int64_t>(std::min<int64_t>(per_cpu, most_ring) * cpus, most_ring);
  bool is_usual = per_cpu >= row(OptionId::Bufsize).default_value;
  if (is_own_pace && is_usual) size = std::min(size, own_pace_ring(plan));
  MapPlan map{.name = "ds_ring", .kind = MapKind::RingBuffer, .max_entries = static_cast<uint32_t>(size)};
  if (has_records && !is_own_pace && buffer_policy(options) == BufferPolicy::Switch &&
      per_cpu > row(OptionId::Bufsize).default_value) {
    map.size_option = OptionId::Bufsize;
    map.wanted_entries = static_cast<uint64_t>(per_cpu) * static_cast<uint64_t>(cpus);
  }
  return map;
}

}  // namespace

void add_fixed_maps(const Semantics& meaning, const OptionValues& options, const MachineFacts& facts,
                    CompiledPlan& out) {
  ProgramPlan& plan = out.plan;
  plan.maps.push_back(ring(plan, options, facts));
  bool tells_of_machine =
      std::ranges::any_of(out.layout.variables, [](const VariablePlace& place) { return place.map == "ds_state"; });
  plan.maps.push_back(
      {.name = "ds_state",
       .kind = MapKind::Array,
       .key_size = 4,
       .value_size = static_cast<uint32_t>(sizeof(ds_state) + (tells_of_machine ? sizeof(MachineState) : 0)),
       .max_entries = 1,
       .is_direct = true,
       .is_mmapable = true});
  plan.maps.push_back({.name = "ds_counters",
                       .kind = MapKind::PerCpuArray,
                       .key_size = 4,
                       .value_size = sizeof(ds_counters),
                       .max_entries = 1});
  if (uses_speculations(meaning))
    plan.maps.push_back(
        {.name = "ds_speculations",
         .kind = MapKind::Array,
         .key_size = 4,
         .value_size = static_cast<uint32_t>(sizeof(ds_speculation) * std::max(1U, speculation_count(options))),
         .max_entries = 1,
         .is_direct = true,
         .is_mmapable = true});
  if (uint32_t size = out.layout.task_size; size != 0)
    plan.maps.push_back({.name = "ds_task", .kind = MapKind::TaskStorage, .key_size = 4, .value_size = size});
}

}  // namespace dscope
