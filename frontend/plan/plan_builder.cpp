// The outline of plan building: clauses to record layouts, probes to rows, rows to programs. Maps come last, because
// their sizes depend on everything else.
#include "frontend/plan/plan_builder.h"

#include <algorithm>
#include <bit>

#include "contract/buffers/service_maps.h"
#include "contract/host.h"
#include "frontend/plan/aggregation_budget.h"
#include "frontend/plan/enabled_probe.h"
#include "frontend/plan/plan_layout.h"
#include "frontend/plan/plan_machine.h"
#include "frontend/plan/plan_sharing.h"
#include "frontend/plan/program_former.h"
#include "frontend/plan/tracer_code.h"
#include "frontend/semantics/complexity.h"

namespace dscope {

namespace {

// If a probe has more clauses, each becomes a function: a call costs 11 ns, but the stack has only 512 bytes.
constexpr size_t max_inlined_clauses = 8;
// If the clauses of a probe have more control-flow joins, each becomes a function: one function would spill too many
// values.
constexpr uint32_t max_inlined_joins = 60;

// Whether the clauses of the probe are too large for one function (docs/decisions/0005).
bool is_too_large(const Semantics& meaning, const EnabledProbe& probe) {
  if (probe.clauses.size() == 1) return false;
  uint32_t joins = 0;
  for (uint32_t clause : probe.clauses) joins += count_joins(meaning, meaning.clauses[clause]);
  return probe.clauses.size() > max_inlined_clauses || joins > max_inlined_joins;
}

}  // namespace

bool is_fired_by_consumer(const BpfProgramPlan& program) {
  return program.context == BpfContext::RawTracepoint &&
         std::ranges::all_of(program.attachments, [](const Attachment& attachment) {
           return std::holds_alternative<HookTestRun>(attachment.hook) ||
                  std::holds_alternative<HookTimer>(attachment.hook);
         });
}

CompiledPlan build_plan(const Semantics& meaning, const OptionValues& options, Host& host, const CompiledPlan* before) {
  const MachineFacts& facts = host.facts();
  CompiledPlan out;
  out.plan.options = options;
  out.plan.units = meaning.units;
  out.plan.is_cpu_v4 = facts.has_cpu_v4;
  out.layout.cpu_count = facts.cpu_count;
  out.layout.scratch_groups = std::bit_ceil(std::max(1U, facts.online_cpu_count));
  out.layout.architecture = &architecture_of(facts);
  out.layout.pid_namespace_device = facts.pid_namespace_device;
  out.layout.pid_namespace = facts.pid_namespace;
  std::vector<ClauseNeeds> needs;
  for (const ClauseInstance& clause : meaning.clauses) {
    needs.push_back(needs_of(meaning, clause));
    out.plan.is_destructive |= clause.is_destructive && !clause.probes.empty();
  }
  const std::vector<EnabledProbe> enabled = enabled_probes(meaning);
  // -S lists clauses one by one.
  out.layout.outlines_clauses =
      options.is_on(OptionId::Verbose) ||
      std::ranges::any_of(enabled, [&](const EnabledProbe& probe) { return is_too_large(meaning, probe); });

  lay_out_data(meaning, options, host, out);
  share_maps(out, facts.cpu_count);
  budget_aggregations(out.plan, facts);
  allocate_elements(out.plan);
  ProgramFormer(meaning, options, host, std::move(needs), before, out).form(enabled);
  add_unwind_maps(meaning, options, out);
  plan_saved_stacks(meaning, out);
  add_fixed_maps(meaning, options, facts, out);
  if (is_for_service(options)) add_service_maps(out.plan, facts.cpu_count);
  find_machine_parts(meaning, host, out);
  find_tracer_code(meaning, host, out);
  if (!facts.has_exact_uprobe_pids) restrict_to_processes(out);
  return out;
}

}  // namespace dscope
