// summarize(). Costs of mechanisms are those of kernel-facts.md B and D.
#include "driver/inspect/run_summary.h"

#include <algorithm>
#include <bit>
#include <map>
#include <set>

#include "contract/bpf_helpers.h"
#include "contract/stacks/unwind_format.h"
#include "frontend/semantics/walk.h"
#include "runtime/load/bpf_object_file.h"
#include "runtime/load/program_estimate.h"
#include "support/check.h"
#include "support/descriptor_path.h"
#include "support/format.h"

namespace dscope {

namespace {

// ---------------------------------------------------------------- probes

struct Mechanism {
  std::string kind, target;
  std::optional<uint32_t> event_ns;
};

Mechanism function_mechanism(const HookFunction& hook) {
  switch (hook.mechanism) {
    case FunctionMechanism::Trampoline: return {hook.is_return ? "fexit" : "fentry", hook.function, {}};
    case FunctionMechanism::Multi: return {hook.is_return ? "kretprobe.multi" : "kprobe.multi", hook.function, {}};
    case FunctionMechanism::Kprobe: return {hook.is_return ? "kretprobe" : "kprobe", hook.function, {}};
    case FunctionMechanism::Security: return {"LSM hook", hook.function, {}};
  }
  DS_UNREACHABLE();
}

Mechanism mechanism_of(const Hook& hook) {
  return std::visit(
      Overloaded{
          [](const HookTestRun&) -> Mechanism { return {"test run", "", 3000}; },
          [](const HookTimer&) -> Mechanism { return {"test run by timer", "", 3000}; },
          [](const HookPerfClock&) -> Mechanism { return {"perf clock event on every CPU", "", {}}; },
          [](const HookPerfEvent&) -> Mechanism { return {"perf event on every CPU", "", {}}; },
          [](const HookSyscall&) -> Mechanism { return {"raw tracepoint", "", 80}; },
          [](const HookRawTracepoint& h) -> Mechanism { return {"raw tracepoint", h.name, 80}; },
          [](const HookTracepoint& h) -> Mechanism { return {"tracepoint", h.category + ":" + h.name, 131}; },
          [](const HookFunction& h) -> Mechanism { return function_mechanism(h); },
          [](const HookIterator& h) -> Mechanism { return {"iterator", h.target, {}}; },
          [](const HookWatch&) -> Mechanism { return {"hardware breakpoint", "", 43000}; },
          [](const HookUprobe& h) -> Mechanism {
            bool is_return = h.position == UprobePosition::Returned;
            std::string path = resolve_descriptor_path(h.path);
            return {is_return ? "uretprobe" : "uprobe", path.substr(path.rfind('/') + 1), is_return ? 790 : 500};
          },
      },
      hook);
}

// The attachment that fires a row of the program.
const Attachment& attachment_of(const BpfProgramPlan& program, uint32_t row) {
  if (program.row_source == RowSource::Cookie)
    for (const Attachment& attachment : program.attachments)
      if (attachment.cookie == row) return attachment;
  return program.attachments.front();
}

std::vector<ProbeGroup> probe_groups(const CompiledPlan& compiled) {
  std::vector<ProbeGroup> groups;
  for (size_t i = 0; i < compiled.plan.programs.size(); ++i) {
    const BpfProgramPlan& program = compiled.plan.programs[i];
    if (program.attachments.empty()) continue;
    std::set<std::string> counted;  // providers for which the attachments of this program are counted
    for (uint32_t row : compiled.layout.programs[i].rows) {
      Mechanism mechanism = mechanism_of(attachment_of(program, row).hook);
      const std::string& provider = compiled.plan.probes[row].provider;
      auto group = std::ranges::find_if(
          groups, [&](const ProbeGroup& g) { return g.provider == provider && g.mechanism == mechanism.kind; });
      if (group == groups.end())
        group = groups.insert(groups.end(), {.provider = provider,
                                             .mechanism = mechanism.kind,
                                             .target = mechanism.target,
                                             .event_ns = mechanism.event_ns});
      ++group->probes;
      bool is_one_each = program.row_source == RowSource::Cookie;
      if (is_one_each) ++group->attachments;
      else if (counted.insert(provider).second) group->attachments += program.attachments.size();
      if (group->target != mechanism.target) group->target.clear();
    }
  }
  return groups;
}

// ---------------------------------------------------------------- programs

Result<std::vector<ProgramSummary>> summarize_programs(const CompiledPlan& compiled, const GeneratedCode& code) {
  std::vector<ProgramSummary> summaries;
  DS_TRY(BpfObjectFile object, BpfObjectFile::parse(code.object.bytes));
  NumberedMaps numbers(code.plan.maps);
  for (size_t i = 0; i < code.plan.programs.size(); ++i) {
    const BpfProgramPlan& program = code.plan.programs[i];
    DS_TRY(LinkedProgram linked, link_program(object, program.symbol, numbers, 0));
    ProgramEstimate estimate = estimate_program(linked, code.plan.maps);
    ProgramSummary& summary = summaries.emplace_back();
    summary.name = program.name;
    summary.probes = compiled.layout.programs[i].rows.size();
    summary.instructions = estimate.instructions;
    summary.stack_bytes = estimate.stack_bytes;
    summary.verifier_instructions = estimate.verifier_instructions;
    summary.min_ns = estimate.min_ns;
    summary.max_ns = estimate.max_ns;
    summary.has_loops = estimate.has_loops;
    for (uint32_t helper : estimate.helpers) summary.helpers.push_back(bpf_helper_name(helper));
    if (program.attachments.empty()) continue;
    Mechanism mechanism = mechanism_of(program.attachments.front().hook);
    summary.mechanism = mechanism.kind;
    summary.event_ns = mechanism.event_ns;
  }
  return summaries;
}

// ---------------------------------------------------------------- maps

std::string content_of(const MapPlan& map, const CompiledPlan& compiled, const Semantics& meaning) {
  static const std::map<std::string_view, std::string_view> fixed = {
      {"ds_ring", "records for the consumer"},
      {"ds_state", "tracing on or off"},
      {"ds_counters", "drops"},
      {"ds_globals", "global variables"},
      {"ds_task", "thread-local variables"},
      {"ds_stacks", "saved stacks"},
      {"ds_scratch", "strings, clause-local variables"},
  };
  if (auto found = fixed.find(map.name); found != fixed.end()) return std::string(found->second);
  std::string names;
  bool is_for_short_keys = false;
  for (const AggregationPlan& aggregation : compiled.plan.aggregations) {
    if (aggregation.map != map.name && aggregation.short_map != map.name) continue;
    names += fmt::format("{}@{}", names.empty() ? "" : " ", aggregation.name == "_" ? "" : aggregation.name);
    if (aggregation.short_map == map.name) is_for_short_keys = true;
  }
  if (!names.empty()) return fmt::format("aggregation {}{}", names, is_for_short_keys ? ", short keys" : "");
  for (size_t i = 0; i < compiled.layout.variables.size(); ++i)
    if (compiled.layout.variables[i].kind == VariableLocation::Kind::Map &&
        compiled.layout.variables[i].map == map.name)
      names += (names.empty() ? "" : " ") + meaning.variables[i].name + "[]";
  return names.empty() ? "internal" : names;
}

uint64_t rounded(uint64_t bytes) { return (bytes + 7) / 8 * 8; }

MapSummary summarize_map(const MapPlan& map, uint32_t cpus) {
  constexpr uint64_t hash_element = 48, hash_bucket = 16;  // struct htab_elem, struct bucket
  constexpr uint64_t page = 4096;
  MapSummary summary{.name = map.name,
                     .content = {},
                     .kind = {},
                     .key_size = map.key_size,
                     .value_size = map.value_size,
                     .entries = map.max_entries};
  uint64_t value = rounded(map.value_size), entries = map.max_entries;
  uint64_t element = hash_element + rounded(map.key_size);
  uint64_t buckets = std::bit_ceil(entries) * hash_bucket;
  switch (map.kind) {
    case MapKind::Array: summary.kind = "array", summary.bytes = value * entries; break;
    case MapKind::PerCpuArray:
      summary.kind = "per-CPU array";
      summary.bytes_per_cpu = value * entries;
      break;
    case MapKind::Hash:
      summary.kind = "hash";
      // Spare elements, one per CPU, let a full map replace elements.
      summary.bytes = buckets + (element + value) * (entries + (map.no_prealloc ? 0 : cpus));
      break;
    case MapKind::PerCpuHash:
      summary.kind = "per-CPU hash";
      summary.bytes = buckets + (element + 8) * entries;
      summary.bytes_per_cpu = value * entries;
      break;
    case MapKind::RingBuffer:
      summary.kind = "ring buffer";
      summary.bytes = std::bit_ceil(std::max<uint64_t>(entries, page));
      break;
    case MapKind::RingTable:
      summary.kind = map.rings == 1 ? "ring buffer" : "ring buffers";
      summary.bytes = std::bit_ceil(std::max<uint64_t>(entries, page)) * map.rings;
      break;
    case MapKind::ChunkTable:
      summary.kind = "unwind tables";
      summary.bytes = DS_UNWIND_CHUNK_BYTES;  // and more as processes need them
      break;
    case MapKind::TaskStorage:
      summary.kind = "task storage";
      summary.bytes = value;
      summary.is_per_thread = true;
      break;
  }
  summary.bytes += summary.bytes_per_cpu * cpus;
  return summary;
}

// ---------------------------------------------------------------- effects

std::vector<DestructiveCall> destructive_calls(const Compilation& compilation) {
  std::vector<DestructiveCall> calls;
  const Semantics& meaning = compilation.meaning;
  std::set<const Expr*> seen;
  for (const ClauseInstance& clause : meaning.clauses) {
    if (!clause.is_destructive || clause.probes.empty()) continue;
    walk_clause(meaning, clause, [&](const Expr& expr) {
      const auto* call = std::get_if<Call>(&expr.form);
      if (call == nullptr) return;
      const Binding& binding = meaning.info(clause, expr).binding;
      const auto* action = std::get_if<Action>(&binding);
      const auto* subroutine = std::get_if<Subroutine>(&binding);
      bool is_write = subroutine != nullptr && row(*subroutine).effect == SubroutineEffect::Destructive;
      bool is_action = action != nullptr && row(*action).effect == ActionEffect::Destructive;
      if ((!is_write && !is_action) || !seen.insert(&expr).second) return;
      SourceLocation at = compilation.sources.locate(expr.at.range.begin);
      const SourceUnit& unit = compilation.sources.unit(at.unit);
      calls.push_back({.unit = unit.kind == UnitKind::String ? "" : unit.name.substr(unit.name.rfind('/') + 1),
                       .line = at.line,
                       .name = std::string(is_action ? row(*action).name : row(*subroutine).name)});
    });
  }
  return calls;
}

bool names_kernel_addresses(const ProgramPlan& plan) {
  auto is_kernel = [](const Field& field) {
    return field.kind == FieldKind::Stack || field.kind == FieldKind::KernelAddr;
  };
  for (const AggregationPlan& aggregation : plan.aggregations)
    if (std::ranges::any_of(aggregation.keys, is_kernel)) return true;
  for (const ClausePlan& clause : plan.clauses)
    for (const ActionPlan& action : clause.actions)
      if (std::ranges::any_of(action.fields, is_kernel)) return true;
  return false;
}

std::vector<std::string> privileges(const ProgramPlan& plan, const std::vector<ProgramSummary>& programs) {
  std::vector<std::string> needed = {"CAP_BPF and CAP_PERFMON, or CAP_SYS_ADMIN: load and attach programs"};
  bool writes_memory = std::ranges::any_of(programs, [](const ProgramSummary& program) {
    return std::ranges::find(program.helpers, "probe_write_user") != program.helpers.end();
  });
  if (writes_memory) needed.emplace_back("CAP_SYS_ADMIN: write to the memory of processes");
  if (names_kernel_addresses(plan))
    needed.emplace_back("CAP_SYSLOG: name kernel functions if kernel.kptr_restrict is 1");
  if (names_user_addresses(plan)) needed.emplace_back("CAP_SYS_PTRACE: name functions of other users' processes");
  return needed;
}

}  // namespace

uint64_t RunSummary::map_bytes() const {
  uint64_t sum = 0;
  for (const MapSummary& map : maps) sum += map.is_per_thread ? 0 : map.bytes;
  return sum;
}

uint64_t RunSummary::map_bytes_per_cpu() const {
  uint64_t sum = 0;
  for (const MapSummary& map : maps) sum += map.bytes_per_cpu;
  return sum;
}

Result<RunSummary> summarize(const Compilation& compilation, const GeneratedCode& code, const MachineFacts& facts) {
  RunSummary summary;
  summary.kernel_release = facts.kernel_release;
  summary.cpus = std::max(1U, compilation.compiled.layout.cpu_count);
  summary.probes = probe_groups(compilation.compiled);
  DS_TRY(summary.programs, summarize_programs(compilation.compiled, code));
  for (const MapPlan& map : code.plan.maps) {
    summary.maps.push_back(summarize_map(map, summary.cpus));
    summary.maps.back().content = content_of(map, compilation.compiled, compilation.meaning);
  }
  std::ranges::stable_sort(summary.maps, std::ranges::greater{}, &MapSummary::bytes);
  summary.privileges = privileges(code.plan, summary.programs);
  summary.destructive = destructive_calls(compilation);
  return summary;
}

}  // namespace dscope
