// The maps other than those of variables and aggregations: the record buffer, the state of the run, and the counters of
// lost data.
#include <algorithm>
#include <bit>

#include "contract/buffers/buffer_policy.h"
#include "contract/buffers/ring_groups.h"
#include "contract/machine.h"
#include "contract/machine_state.h"
#include "contract/record_format.h"
#include "contract/stacks/stack_copy.h"
#include "contract/stacks/unwind_format.h"
#include "contract/stacks/unwind_tables.h"
#include "frontend/plan/plan_layout.h"
#include "frontend/plan/stack_unwinding.h"
#include "frontend/semantics/walk.h"

namespace dscope {

namespace {

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

struct UserStackUses {
  bool records_stacks = false;  // ustack()
  bool counts_frames = false;   // ucaller, ustackdepth
};

UserStackUses user_stack_uses(const Semantics& meaning) {
  UserStackUses uses;
  walk_program(meaning, [&](const Expr& expr, const ClauseInstance& clause) {
    const Binding& binding = meaning.info(clause, expr).binding;
    const auto* action = std::get_if<Action>(&binding);
    const auto* variable = std::get_if<BuiltinVariable>(&binding);
    uses.records_stacks |= action != nullptr && row(*action).value == ActionValue::UserStack;
    uses.counts_frames |=
        variable != nullptr && (*variable == BuiltinVariable::Ucaller || *variable == BuiltinVariable::Ustackdepth);
  });
  return uses;
}

// Whether each firing records data. A clause that only calls exit() records once.
bool records_repeatedly(const ClausePlan& clause) {
  bool only_exits = !clause.actions.empty() && std::ranges::all_of(clause.actions, [](const ActionPlan& action) {
    return action.action == Action::Exit;
  });
  return (clause.has_record && !only_exits) || !clause.updates.empty();
}

// Whether probes that the kernel fires, at any rate, write to the ring.
bool has_records_of_events(const CompiledPlan& compiled) {
  const ProgramPlan& plan = compiled.plan;
  if (std::ranges::all_of(plan.programs, is_fired_by_consumer)) return false;
  for (size_t i = 0; i < plan.programs.size(); ++i) {
    if (is_fired_by_consumer(plan.programs[i])) continue;
    for (const std::vector<uint32_t>& clauses : compiled.layout.programs[i].lists)
      for (uint32_t clause : clauses)
        if (records_repeatedly(plan.clauses[clause])) return true;
  }
  // ERROR clauses run after a fault in a clause of any probe.
  return std::ranges::any_of(
      plan.clauses, [](const ClausePlan& clause) { return clause.is_error_clause && records_repeatedly(clause); });
}

// Returns the ring size for probes that the consumer fires. They run on one CPU at a time and cannot outrun the
// consumer, so a small multiple of all their records is enough.
int64_t consumer_paced_ring_bytes(const ProgramPlan& plan) {
  constexpr int64_t min_bytes = 256 << 10, rounds = 8;
  int64_t round_bytes = 0;
  for (const ClausePlan& clause : plan.clauses)
    round_bytes += std::max<int64_t>(clause.record_size, sizeof(ds_fault_record)) + DS_RECORD_OVERHEAD;
  return std::max(min_bytes, round_bytes * rounds);
}

// Divides the ring into one for each group of CPUs.
void split_ring(MapPlan& map, const RingGroups& groups, int64_t bytes_per_cpu) {
  map.kind = MapKind::RingTable;
  map.key_size = map.value_size = 4;
  map.rings = groups.rings;
  map.cpus_per_ring = groups.cpus_per_ring;
  // The kernel rounds up to powers of two.
  auto limit = static_cast<int64_t>(std::bit_floor(static_cast<uint64_t>(max_ring_bytes) / groups.rings));
  map.max_entries = static_cast<uint32_t>(std::min(limit, std::min(bytes_per_cpu, limit) * groups.cpus_per_ring));
}

MapPlan plan_ring(const CompiledPlan& compiled, const OptionValues& options, const MachineFacts& facts) {
  constexpr int64_t fault_bytes = 64 << 10;  // per CPU
  const ProgramPlan& plan = compiled.plan;
  auto per_cpu = static_cast<int64_t>(buffer_size(options));
  // With the other policies the consumer owns the buffer, and the ring only transports records to it.
  if (buffer_policy(options) != BufferPolicy::Switch) per_cpu = std::max(per_cpu, row(OptionId::Bufsize).default_value);
  bool is_small = per_cpu < row(OptionId::Bufsize).default_value;
  bool has_events = !std::ranges::all_of(plan.programs, is_fired_by_consumer);
  bool has_records = has_records_of_events(compiled);
  int64_t cpus = has_events ? std::max(1U, facts.cpu_count) : 1;
  auto size = std::min<int64_t>(std::min<int64_t>(per_cpu, max_ring_bytes) * cpus, max_ring_bytes);
  // If no probe records data, only fault reports and exit() need the ring.
  if (!has_records && !is_small)
    size = std::min(size, consumer_paced_ring_bytes(plan) + (has_events ? fault_bytes * cpus : 0));
  MapPlan map{.name = "ds_ring", .kind = MapKind::RingBuffer, .max_entries = static_cast<uint32_t>(size)};
  auto groups = ring_groups(options, facts);
  if (has_records && groups) split_ring(map, *groups, per_cpu);
  // dscope always reports a size above the limit.
  bool is_reported = (has_records && per_cpu > row(OptionId::Bufsize).default_value) || per_cpu > max_ring_bytes;
  if (is_reported && buffer_policy(options) == BufferPolicy::Switch) {
    map.size_option = OptionId::Bufsize;
    map.requested_entries = static_cast<uint64_t>(per_cpu) * static_cast<uint64_t>(cpus);
    if (map.rings != 0) map.requested_entries = static_cast<uint64_t>(per_cpu) * map.cpus_per_ring;
  }
  return map;
}

// Extends `saved` to the frames that the stack fields copy.
void extend(SavedStack& saved, const std::vector<Field>& fields) {
  for (const Field& field : fields) {
    extend(saved, field.variants);
    if (field.kind == FieldKind::Stack) saved.kernel_frames = std::max(saved.kernel_frames, field.size / 8);
    if (field.kind != FieldKind::UserStack) continue;
    saved.frames = std::max(saved.frames, field.frames);
    saved.has_copy |= field.has_copy;
  }
}

void extend(SavedStack& saved, BuiltinVariable variable) {
  constexpr uint32_t caller_frames = 2;
  if (variable == BuiltinVariable::Ucaller) saved.frames = std::max(saved.frames, caller_frames);
  if (variable == BuiltinVariable::Ustackdepth) saved.frames = std::max(saved.frames, max_counted_frames);
  if (variable == BuiltinVariable::Caller) saved.kernel_frames = std::max(saved.kernel_frames, frames_to_caller);
  if (variable == BuiltinVariable::Stackdepth) saved.kernel_frames = std::max(saved.kernel_frames, max_counted_frames);
}

void extend(SavedStack& saved, const Semantics& meaning, const CompiledPlan& compiled, uint32_t number) {
  const ClausePlan& clause = compiled.plan.clauses[number];
  for (const ActionPlan& action : clause.actions) extend(saved, action.fields);
  for (const UpdatePlan& update : clause.updates) extend(saved, update.fields);
  const ClauseInstance& instance = meaning.clauses[number];
  walk_clause(meaning, instance, [&](const Expr& expr) {
    const Binding& binding = meaning.info(instance, expr).binding;
    if (const auto* variable = std::get_if<BuiltinVariable>(&binding)) extend(saved, *variable);
    if (const auto* id = std::get_if<AggregationId>(&binding))
      extend(saved, compiled.plan.aggregations[id->index].keys);
    if (const auto* id = std::get_if<VariableId>(&binding)) extend(saved, compiled.layout.variables[id->index].keys);
  });
}

}  // namespace

void add_unwind_maps(const Semantics& meaning, const OptionValues& options, CompiledPlan& out) {
  UserStackUses uses = user_stack_uses(meaning);
  const Architecture& architecture = *out.layout.architecture;
  bool are_recorded = uses.records_stacks && unwinds_by_tables(options, architecture);
  bool are_counted = uses.counts_frames && counts_by_tables(options, architecture);
  if (!are_recorded && !are_counted) return;
  std::vector<MapPlan>& maps = out.plan.maps;
  maps.push_back({.name = "ds_unwind_chunks",
                  .kind = MapKind::ChunkTable,
                  .key_size = 4,
                  .value_size = 4,
                  .max_entries = DS_UNWIND_MAX_CHUNKS});
  maps.push_back({.name = "ds_unwind_processes",
                  .kind = MapKind::Hash,
                  .key_size = 4,
                  .value_size = sizeof(ds_unwind_process),
                  .max_entries = DS_UNWIND_MAX_PROCESSES});
  maps.push_back({.name = "ds_unwind_misses", .kind = MapKind::RingBuffer, .max_entries = DS_UNWIND_MISS_BYTES});
  maps.push_back({.name = "ds_unwind_counters",
                  .kind = MapKind::PerCpuArray,
                  .key_size = 4,
                  .value_size = sizeof(ds_unwind_counters),
                  .max_entries = 1});
  if (are_recorded && options.text(OptionId::Ustackunwind) == "auto")
    maps.push_back({.name = "ds_unwind_copies", .kind = MapKind::RingBuffer, .max_entries = DS_UNWIND_COPY_BYTES});
}

void plan_saved_stacks(const Semantics& meaning, CompiledPlan& out) {
  SavedStack& largest = out.layout.saved_stack;
  for (ProgramLayout& program : out.layout.programs) {
    if (program.derived == nullptr || !program.derived->derivation->subject) continue;
    for (const std::vector<uint32_t>& clauses : program.lists)
      for (uint32_t clause : clauses) extend(program.saved_stack, meaning, out, clause);
    largest.frames = std::max(largest.frames, program.saved_stack.frames);
    largest.kernel_frames = std::max(largest.kernel_frames, program.saved_stack.kernel_frames);
    largest.has_copy |= program.saved_stack.has_copy;
  }
  if (largest.is_empty()) return;
  // Programs on the same tracepoint save the same stack in the same element.
  for (ProgramLayout& program : out.layout.programs)
    if (!program.saved_stack.is_empty()) program.saved_stack = largest;
  size_t size = saved_kernel_bytes(largest) + (largest.frames != 0 ? 8 + largest.frames * 8 : 0) +
                (largest.has_copy
                     ? DS_STACK_COPY_SIZE(out.layout.architecture->register_words, saved_copy_bytes(out.plan.options))
                     : 0) +
                (largest.frames != 0 && has_unwind_tables(out.plan) ? sizeof(ds_unwind_walk) : 0);
  out.plan.maps.push_back(
      {.name = "ds_stacks", .kind = MapKind::TaskStorage, .key_size = 4, .value_size = static_cast<uint32_t>(size)});
}

void add_fixed_maps(const Semantics& meaning, const OptionValues& options, const MachineFacts& facts,
                    CompiledPlan& out) {
  ProgramPlan& plan = out.plan;
  plan.maps.push_back(plan_ring(out, options, facts));
  bool has_machine_state = std::ranges::any_of(
      out.layout.variables, [](const VariableLocation& location) { return location.map == "ds_state"; });
  plan.maps.push_back(
      {.name = "ds_state",
       .kind = MapKind::Array,
       .key_size = 4,
       .value_size = static_cast<uint32_t>(sizeof(ds_state) + (has_machine_state ? sizeof(MachineState) : 0)),
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
