#include "frontend/plan/program_former.h"

#include <algorithm>
#include <numeric>

#include "contract/cheap_return.h"
#include "contract/follow.h"
#include "contract/host.h"
#include "contract/record_format.h"
#include "support/check.h"

namespace dscope {

namespace {

// Each trampoline takes tens of milliseconds to attach and to detach (kernel-facts.md B).
constexpr size_t max_preferred_trampolines = 32;

uint32_t rank_of(UprobePosition position) {
  switch (position) {
    case UprobePosition::Entry: return 0;
    case UprobePosition::Anywhere:
    case UprobePosition::Within: return 1;
    case UprobePosition::Exit:
    case UprobePosition::Returned: return 2;
  }
  DS_UNREACHABLE();
}

// Programs on one hook run in the order of their attachment. For a function of one instruction, the entry probe must
// run before the return probe.
uint32_t attachment_rank(const ProgramLayout& layout) {
  constexpr uint32_t rank_count = 3;
  uint32_t order = layout.derived != nullptr ? layout.derived->derivation->order : Derivation::default_order;
  return order * rank_count + rank_of(layout.position);
}

}  // namespace

ProgramFormer::ProgramFormer(const Semantics& meaning, const OptionValues& options, Host& host,
                             std::vector<ClauseNeeds> needs, const CompiledPlan* before, CompiledPlan& out)
    : meaning_(meaning), options_(options), host_(host), facts_(host.facts()), needs_(std::move(needs)), out_(out) {
  if (before == nullptr) return;
  out_.plan.probes = before->plan.probes;
  out_.layout.row_probes = before->layout.row_probes;
  for (uint32_t row = 0; row < out_.plan.probes.size(); ++row) rows_before_[out_.plan.probes[row].id].push_back(row);
}

void ProgramFormer::form(const std::vector<EnabledProbe>& enabled) {
  function_count_ = static_cast<size_t>(std::ranges::count_if(
      enabled, [](const EnabledProbe& probe) { return std::holds_alternative<HookFunction>(probe.hook()); }));
  for (const EnabledProbe& probe : enabled) add_probe(probe);
  order_programs();
}

// ---- rows

// Each derivation of a probe has a row and a program.
void ProgramFormer::add_probe(EnabledProbe enabled) {
  if (enabled.probe->derivations.empty()) return add_hooked(enabled, *enabled.probe);
  for (const DerivedProbe& derived : meaning_.derived_probes) {
    if (derived.probe != enabled.probe) continue;
    enabled.derived = &derived;
    add_hooked(enabled, derived.base());
  }
}

// Adds one row for all sites of the hooked probe. System calls get one row per site, because the order of arguments
// depends on the call.
void ProgramFormer::add_hooked(EnabledProbe enabled, const Probe& hooked) {
  uint32_t row = new_row(enabled);
  auto add = [&] { std::visit([&](const auto& hook) { add_to_program(enabled, row, hook); }, enabled.hook()); };
  const ProbeSite* cheap = cheap_return(hooked);
  if (cheap != nullptr && may_return_cheaply(enabled)) {
    enabled.site = cheap;
    return add();
  }
  if (hooked.sites.empty()) return add();
  for (const ProbeSite& site : hooked.sites) {
    if (&site == cheap) continue;
    if (enabled.site != nullptr && std::holds_alternative<HookSyscall>(site.hook)) row = new_row(enabled);
    enabled.site = &site;
    add();
  }
}

uint32_t ProgramFormer::new_row(const EnabledProbe& enabled) {
  const Probe& probe = *enabled.probe;
  // The host reads the argument sources of tracepoints only on demand.
  bool has_sources = !probe.raw_args.empty() || !probe.sites.empty();
  if (!has_sources && reads_arguments(enabled)) host_.load_args(probe, *meaning_.types);
  // Derived probes and probes of several system calls have several rows.
  if (std::deque<uint32_t>& known = rows_before_[probe.id]; !known.empty()) {
    uint32_t row = known.front();
    known.pop_front();
    return row;
  }
  auto row = static_cast<uint32_t>(out_.plan.probes.size());
  out_.plan.probes.push_back({.id = probe.id,
                              .provider = probe.provider,
                              .module = probe.module,
                              .function = probe.function,
                              .name = probe.name,
                              .is_system_call = probe.is_system_call,
                              .is_end = has_role(probe, HookTestRun::Role::End)});
  out_.layout.row_probes.push_back(&probe);
  return row;
}

uint64_t ProgramFormer::arguments_read(const EnabledProbe& enabled) const {
  uint64_t read = 0;
  for (uint32_t clause : enabled.clauses) read |= needs_[clause].arguments;
  return read;
}

bool ProgramFormer::reads_arguments(const EnabledProbe& enabled) const {
  return enabled.derived != nullptr || arguments_read(enabled) != 0;
}

bool ProgramFormer::reads_firing_context(const EnabledProbe& enabled) const {
  return enabled.derived != nullptr ||
         std::ranges::any_of(enabled.clauses, [&](uint32_t clause) { return needs_[clause].firing_context; });
}

// Whether the clauses cannot tell a uretprobe from probes on the instructions that return: arg0 is the offset of that
// instruction, and registers differ. A uretprobe replaces return addresses, which any stack of the process may contain.
bool ProgramFormer::may_return_cheaply(const EnabledProbe& enabled) const {
  if (enabled.derived != nullptr || (arguments_read(enabled) & argument_bit(0)) != 0) return false;
  auto reads_registers = [&](uint32_t clause) { return needs_[clause].registers; };
  return std::ranges::none_of(enabled.clauses, reads_registers) && std::ranges::none_of(needs_, &ClauseNeeds::stacks);
}

// ---- hooks

void ProgramFormer::add_to_program(const EnabledProbe& enabled, uint32_t row, const HookTestRun& hook) {
  if (hook.role == HookTestRun::Role::Error) {
    out_.layout.error_clauses = enabled.clauses;
    for (uint32_t clause : enabled.clauses) out_.plan.clauses[clause].is_error_clause = true;
    return;
  }
  size_t program = add_own_program(enabled, row, BpfContext::RawTracepoint, hook);
  out_.layout.programs[program].expected_activity =
      hook.role == HookTestRun::Role::Begin ? DS_ACTIVITY_STARTING : DS_ACTIVITY_DRAINING;
}

// The consumer's timer fires ticks that do not read the interrupted context, because it never loses a tick.
void ProgramFormer::add_to_program(const EnabledProbe& enabled, uint32_t row, const HookTimer& hook) {
  bool is_interrupt = reads_firing_context(enabled);
  add_own_program(enabled, row, is_interrupt ? BpfContext::PerfEvent : BpfContext::RawTracepoint, hook);
}

void ProgramFormer::add_to_program(const EnabledProbe& enabled, uint32_t row, const HookPerfClock& hook) {
  join_program(enabled, row, BpfContext::PerfEvent, hook, "perf");
}

void ProgramFormer::add_to_program(const EnabledProbe& enabled, uint32_t row, const HookPerfEvent& hook) {
  join_program(enabled, row, BpfContext::PerfEvent, hook, "perf");
}

// All system calls share one program per direction, because both tracepoints fire for every call anyway.
void ProgramFormer::add_to_program(const EnabledProbe& enabled, uint32_t row, const HookSyscall& hook) {
  std::string key = hook.is_return ? "sys_exit" : "sys_enter";
  auto found = joined_.find(key);
  if (found == joined_.end()) {
    size_t program = new_program(enabled, row, BpfContext::RawTracepoint, RowSource::Table);
    out_.plan.programs[program].attachments.push_back({.hook = HookRawTracepoint{key}, .cookie = row});
    out_.layout.programs[program].is_syscall = true;
    out_.layout.programs[program].is_return = hook.is_return;
    found = joined_.emplace(key, program).first;
  } else {
    add_row(found->second, enabled, row);
  }
  out_.layout.programs[found->second].calls.push_back(hook);
}

void ProgramFormer::add_to_program(const EnabledProbe& enabled, uint32_t row, const HookRawTracepoint& hook) {
  join_program(enabled, row, BpfContext::RawTracepoint, hook, "raw");
}

// Only programs that read arguments need the record that the kernel builds for a perf tracepoint. Without arguments,
// the raw tracepoint is cheaper and detaches at once (kernel-facts.md B).
void ProgramFormer::add_to_program(const EnabledProbe& enabled, uint32_t row, const HookTracepoint& hook) {
  if (reads_arguments(enabled)) join_program(enabled, row, BpfContext::Tracepoint, hook, "tp");
  else join_program(enabled, row, BpfContext::RawTracepoint, HookRawTracepoint{hook.name}, "raw");
}

void ProgramFormer::add_to_program(const EnabledProbe& enabled, uint32_t row, const HookUprobe& hook) {
  HookUprobe attached = hook;
  if (follows_forks(options_)) attached.pid = 0;
  uint32_t family = hook.pid - attached.pid;
  size_t program = join_program(enabled, row, BpfContext::Probe, attached,
                                fmt::format("uprobe {} {}", static_cast<int>(hook.position), family));
  out_.layout.programs[program].position = hook.position;
  out_.layout.programs[program].family = family;
}

void ProgramFormer::add_to_program(const EnabledProbe& enabled, uint32_t row, const HookFunction& written) {
  HookFunction hook = written;
  hook.mechanism = mechanism_for(hook);
  bool has_typed_arguments =
      hook.mechanism == FunctionMechanism::Trampoline || hook.mechanism == FunctionMechanism::Security;
  join_program(enabled, row, has_typed_arguments ? BpfContext::Function : BpfContext::KernelProbe, hook,
               fmt::format("function {} {}", static_cast<int>(hook.mechanism), hook.is_return));
}

// Iterators and watched addresses have no cookies, so the program itself identifies the probe.
void ProgramFormer::add_to_program(const EnabledProbe& enabled, uint32_t row, const HookIterator& hook) {
  add_own_program(enabled, row, BpfContext::Iterator, hook);
}

void ProgramFormer::add_to_program(const EnabledProbe& enabled, uint32_t row, const HookWatch& hook) {
  add_own_program(enabled, row, BpfContext::PerfEvent, hook);
}

// Returns the mechanism with the lowest cost per firing, unless attaching so many functions one by one would take long.
FunctionMechanism ProgramFormer::mechanism_for(const HookFunction& hook) {
  if (hook.mechanism == FunctionMechanism::Security) return hook.mechanism;
  if (!mechanisms_) mechanisms_ = host_.function_mechanisms();
  bool can_be_trampoline = mechanisms_->has_trampoline && hook.offset == 0 && hook.type_id != 0;
  bool has_others = mechanisms_->has_multi || mechanisms_->has_kprobe;
  bool are_few = function_count_ <= max_preferred_trampolines || !mechanisms_->has_multi;
  if (can_be_trampoline && (!has_others || (hook.supports_trampoline && are_few))) return FunctionMechanism::Trampoline;
  return mechanisms_->has_multi && hook.offset == 0 ? FunctionMechanism::Multi : FunctionMechanism::Kprobe;
}

// ---- programs

// The variables that the clauses of the probe use, at its current site.
std::vector<PlacedVariable> ProgramFormer::placed_variables(const EnabledProbe& enabled) const {
  std::set<uint32_t> names;
  for (uint32_t clause : enabled.clauses)
    names.insert(needs_[clause].traced_names.begin(), needs_[clause].traced_names.end());
  std::vector<PlacedVariable> placed;
  for (uint32_t name : names) {
    const TracedVariable* found = host_.find_variable(*enabled.probe, *meaning_.types, meaning_.traced_names[name]);
    if (found == nullptr) continue;
    placed.push_back({.name = name, .place = {}, .is_in_memory = found->is_in_memory()});
    if (enabled.place() < found->places.size()) placed.back().place = found->places[enabled.place()];
  }
  return placed;
}

// Probes share a program if they have the same context, the same clauses and the same sources for the arguments that
// these read. The cookie identifies the probe.
size_t ProgramFormer::join_program(const EnabledProbe& enabled, uint32_t row, BpfContext context, const Hook& hook,
                                   std::string key) {
  if (enabled.derived != nullptr) return add_derived(enabled, row, context, hook);
  for (uint32_t clause : enabled.clauses) key += fmt::format(" {}", clause);
  const std::vector<ArgSource>& sources = enabled.raw_args();
  uint64_t read = arguments_read(enabled);
  for (size_t i = 0; read != 0 && i < sources.size(); ++i) {
    const ArgSource& source = sources[i];
    if ((read & argument_bit(i)) != 0)
      key += fmt::format(" {},{},{},{},{},{},{}", static_cast<int>(source.kind), source.index, source.offset,
                         source.size, source.is_signed, source.base, source.scale);
  }
  std::vector<PlacedVariable> variables = placed_variables(enabled);
  for (const PlacedVariable& variable : variables) key += place_text(variable);
  auto found = joined_.find(key);
  if (found == joined_.end()) {
    size_t program = new_program(enabled, row, context, RowSource::Cookie);
    out_.layout.programs[program].variables = std::move(variables);
    out_.plan.programs[program].cookie_by_copy =
        context == BpfContext::Function || (context == BpfContext::RawTracepoint && !facts_.has_raw_tp_cookie);
    found = joined_.emplace(std::move(key), program).first;
  } else {
    add_row(found->second, enabled, row);
  }
  out_.plan.programs[found->second].attachments.push_back({.hook = hook, .cookie = row});
  return found->second;
}

// The program contains the derivation, so it serves no other probe.
size_t ProgramFormer::add_derived(const EnabledProbe& enabled, uint32_t row, BpfContext context, const Hook& hook) {
  size_t program = add_own_program(enabled, row, context, hook);
  out_.plan.programs[program].has_typed_context = enabled.derived->derivation->subject.has_value();
  const auto* tracepoint = std::get_if<HookRawTracepoint>(&hook);
  out_.layout.programs[program].is_return = tracepoint != nullptr && tracepoint->name == "sys_exit";
  return program;
}

size_t ProgramFormer::add_own_program(const EnabledProbe& enabled, uint32_t row, BpfContext context, const Hook& hook) {
  size_t program = new_program(enabled, row, context, RowSource::Constant);
  out_.plan.programs[program].attachments.push_back({.hook = hook, .cookie = row});
  return program;
}

size_t ProgramFormer::new_program(const EnabledProbe& enabled, uint32_t row, BpfContext context, RowSource source) {
  size_t program = out_.plan.programs.size();
  const ProbePlan& probe = out_.plan.probes[row];
  out_.plan.programs.push_back(
      {.symbol = fmt::format("prog_{}", program),
       .context = context,
       .row_source = source,
       .attachments = {},
       .name = fmt::format("{}:{}:{}:{}", probe.provider, probe.module, probe.function, probe.name)});
  out_.layout.programs.push_back({.raw_args = enabled.raw_args(), .derived = enabled.derived});
  add_row(program, enabled, row);
  return program;
}

void ProgramFormer::add_row(size_t program, const EnabledProbe& enabled, uint32_t row) {
  ProgramLayout& layout = out_.layout.programs[program];
  if (!layout.rows.empty() && layout.rows.back() == row) return;  // another site of the probe
  auto list = std::find(layout.lists.begin(), layout.lists.end(), enabled.clauses);
  layout.rows.push_back(row);
  layout.list_of_row.push_back(static_cast<uint32_t>(list - layout.lists.begin()));
  if (list == layout.lists.end()) layout.lists.push_back(enabled.clauses);
  layout.outlines_clauses = out_.layout.outlines_clauses;
}

void ProgramFormer::order_programs() {
  std::vector<ProgramLayout>& layouts = out_.layout.programs;
  std::vector<size_t> sequence(layouts.size());
  std::iota(sequence.begin(), sequence.end(), size_t{0});
  std::ranges::stable_sort(sequence, {}, [&](size_t program) { return attachment_rank(layouts[program]); });
  std::vector<ProgramLayout> ordered_layouts;
  std::vector<BpfProgramPlan> ordered_plans;
  for (size_t index : sequence) {
    ordered_layouts.push_back(std::move(layouts[index]));
    ordered_plans.push_back(std::move(out_.plan.programs[index]));
  }
  layouts = std::move(ordered_layouts);
  out_.plan.programs = std::move(ordered_plans);
}

void restrict_to_processes(CompiledPlan& out) {
  for (size_t i = 0; i < out.plan.programs.size(); ++i) {
    std::optional<uint32_t> common_pid;
    for (const Attachment& attachment : out.plan.programs[i].attachments) {
      const auto* hook = std::get_if<HookUprobe>(&attachment.hook);
      uint32_t pid = hook != nullptr ? hook->pid : 0;
      common_pid = !common_pid || *common_pid == pid ? pid : 0;
    }
    out.layout.programs[i].only_process = common_pid.value_or(0);
  }
}

}  // namespace dscope
