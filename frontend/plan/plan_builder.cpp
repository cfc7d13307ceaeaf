// The outline of plan building: probes to rows, rows to programs, clauses to record layouts; maps last, when all sizes
// are known.
#include "frontend/plan/plan_builder.h"

#include <algorithm>
#include <deque>
#include <map>
#include <numeric>
#include <unordered_map>

#include "contract/follow.h"
#include "contract/record_format.h"
#include "frontend/plan/plan_layout.h"
#include "frontend/plan/plan_machine.h"
#include "frontend/plan/plan_sharing.h"
#include "frontend/semantics/complexity.h"
#include "frontend/semantics/walk.h"
#include "support/check.h"

namespace dscope {

namespace {

// What a clause reads of the firing decides where its program may run.
struct ClauseNeeds {
  uint64_t arguments = 0;       // arg0..., args[]: a bit for each that it reads, see argument_bit()
  bool firing_context = false;  // anything that describes the thread or code the probe fired in
};

// The last bit is that of all from there on.
uint64_t argument_bit(size_t index) { return uint64_t{1} << std::min<size_t>(index, 63); }

bool is_firing_context(BuiltinVariable variable) {
  switch (variable) {
    case BuiltinVariable::Caller:
    case BuiltinVariable::Curthread:
    case BuiltinVariable::Errno:
    case BuiltinVariable::Execname:
    case BuiltinVariable::Gid:
    case BuiltinVariable::Ipl:
    case BuiltinVariable::Pid:
    case BuiltinVariable::Ppid:
    case BuiltinVariable::Stackdepth:
    case BuiltinVariable::Tid:
    case BuiltinVariable::Ucaller:
    case BuiltinVariable::Uid:
    case BuiltinVariable::Uregs:
    case BuiltinVariable::Ustackdepth:
    case BuiltinVariable::Vtimestamp: return true;
    case BuiltinVariable::Cpu:
    case BuiltinVariable::Epid:
    case BuiltinVariable::Id:
    case BuiltinVariable::Probefunc:
    case BuiltinVariable::Probemod:
    case BuiltinVariable::Probename:
    case BuiltinVariable::Probeprov:
    case BuiltinVariable::Timestamp:
    case BuiltinVariable::Walltimestamp: return false;
  }
  DS_UNREACHABLE();
}

// Those that reach into the memory of the process, or ask who it is.
bool is_firing_context(Subroutine subroutine) {
  switch (subroutine) {
    case Subroutine::Copyin:
    case Subroutine::Copyinstr:
    case Subroutine::Copyinto:
    case Subroutine::Copyout:
    case Subroutine::Copyoutstr:
    case Subroutine::MutexOwned:
    case Subroutine::Progenyof:
    case Subroutine::PsArgs: return true;
    default: return false;
  }
}

bool is_firing_context(Action action) {
  bool is_signal = action == Action::Raise || action == Action::Stop;
  return is_signal || row(action).effect == ActionEffect::Value;
}

ClauseNeeds needs_of(const Semantics& meaning, const ClauseInstance& clause) {
  ClauseNeeds needs;
  auto add_argument = [&](uint32_t index) {
    needs.arguments |= argument_bit(index);
    needs.firing_context = true;
  };
  walk_clause(meaning, clause, [&](const Expr& expr) {
    const ExprInfo& info = meaning.info(clause, expr);
    if (info.constant) return;
    std::visit(Overloaded{
                   [&](const BuiltinVariable& variable) { needs.firing_context |= is_firing_context(variable); },
                   [&](const RawArgument& id) { add_argument(id.index); },
                   [&](const TypedArgument& id) { add_argument(id.index); },
                   [&](const UserRegister&) { needs.firing_context = true; },
                   [&](const VariableId& id) {
                     needs.firing_context |= meaning.variables[id.index].scope == VariableScope::Self;
                   },
                   [&](const Subroutine& id) { needs.firing_context |= is_firing_context(id); },
                   [&](const Action& id) { needs.firing_context |= is_firing_context(id); },
                   [](const auto&) {},
               },
               info.binding);
  });
  return needs;
}

// More clauses than this on one probe are functions of their own: a call costs 11 ns, but the stack has 512 bytes.
constexpr size_t max_inlined_clauses = 8;
// Nor so many places where ways through the program meet: the function would need too much of it.
constexpr uint32_t max_inlined_joins = 60;

// Each takes tens of milliseconds to attach and to detach (kernel-facts.md B).
constexpr size_t max_trampolines_by_choice = 32;

// Bytes of code; those functions have 100 to 300.
constexpr uint64_t longest_tracer_function = 320;

// A probe with the clauses it runs, before programs are formed.
struct EnabledProbe {
  const Probe* probe = nullptr;
  const DerivedProbe* derived = nullptr;  // the way it is derived, if it is
  std::vector<uint32_t> clauses;

  const ProbeSite* site = nullptr;  // which of its places, if it has several

  const Hook& hook() const {
    return site != nullptr ? site->hook : derived != nullptr ? derived->base().hook : probe->hook;
  }
  const std::vector<ArgSource>& raw_args() const {
    return site != nullptr ? site->raw_args : derived != nullptr ? derived->base().raw_args : probe->raw_args;
  }
};

std::vector<EnabledProbe> enabled_probes(const Semantics& meaning) {
  std::vector<EnabledProbe> enabled;
  std::unordered_map<uint32_t, size_t> by_id;
  for (const ClauseInstance& clause : meaning.clauses) {
    if (clause.never_runs) continue;
    for (const Probe* probe : clause.probes) {
      auto [entry, is_new] = by_id.try_emplace(probe->id, enabled.size());
      if (is_new) enabled.push_back({.probe = probe, .clauses = {}});
      enabled[entry->second].clauses.push_back(clause.number);
    }
  }
  return enabled;
}

class PlanBuilder {
 public:
  PlanBuilder(const Semantics& meaning, const OptionValues& options, Host& host, const CompiledPlan* before)
      : meaning_(meaning), options_(options), host_(host), facts_(host.facts()) {
    if (before == nullptr) return;
    out_.plan.probes = before->plan.probes;
    out_.layout.row_probes = before->layout.row_probes;
    for (uint32_t row = 0; row < out_.plan.probes.size(); ++row) rows_before_[out_.plan.probes[row].id].push_back(row);
  }

  CompiledPlan build() {
    out_.plan.options = options_;
    out_.plan.units = meaning_.units;
    out_.plan.is_cpu_v4 = facts_.has_cpu_v4;
    for (const ClauseInstance& clause : meaning_.clauses) {
      needs_.push_back(needs_of(meaning_, clause));
      out_.plan.is_destructive |= clause.is_destructive && !clause.probes.empty();
    }
    std::vector<EnabledProbe> enabled = enabled_probes(meaning_);
    // -S lists clauses one by one.
    out_.layout.outlines_clauses =
        options_.is_on(OptionId::Verbose) ||
        std::any_of(enabled.begin(), enabled.end(), [&](const EnabledProbe& probe) { return is_too_much(probe); });
    lay_out_data(meaning_, options_, host_, out_);
    out_.layout.cpu_count = facts_.cpu_count;
    share_maps(out_, facts_.cpu_count);
    allocate_elements(out_.plan);
    functions_ = static_cast<size_t>(std::count_if(enabled.begin(), enabled.end(), [](const EnabledProbe& probe) {
      return std::holds_alternative<HookFunction>(probe.hook());
    }));
    for (const EnabledProbe& probe : enabled) add_probe(probe);
    order_programs();
    out_.layout.pid_namespace_device = facts_.pid_namespace_device;
    out_.layout.pid_namespace = facts_.pid_namespace;
    keep_stacks(meaning_, out_);
    add_fixed_maps(meaning_, options_, facts_, out_);
    find_machine_parts(meaning_, host_, out_);
    find_tracer_code();
    if (!facts_.has_exact_uprobe_pids) keep_to_processes();
    return std::move(out_);
  }

 private:
  // For one function (docs/decisions/0005).
  bool is_too_much(const EnabledProbe& probe) const {
    if (probe.clauses.size() == 1) return false;
    uint32_t joins = 0;
    for (uint32_t clause : probe.clauses) joins += count_joins(meaning_, meaning_.clauses[clause]);
    return probe.clauses.size() > max_inlined_clauses || joins > max_inlined_joins;
  }

  // A derived probe is one for each way it is derived.
  void add_probe(EnabledProbe enabled) {
    if (enabled.probe->derivations.empty()) return add_hooked(enabled, *enabled.probe);
    for (const DerivedProbe& derived : meaning_.derived_probes) {
      if (derived.probe != enabled.probe) continue;
      enabled.derived = &derived;
      add_hooked(enabled, derived.base());
    }
  }

  // One row, whether the probe that has the hook is at one place or at several. Of system calls each has its own, which
  // tells the order of its arguments.
  void add_hooked(EnabledProbe enabled, const Probe& hooked) {
    uint32_t row = new_row(enabled);
    auto add = [&] { std::visit([&](const auto& hook) { add_to_program(enabled, row, hook); }, enabled.hook()); };
    if (hooked.sites.empty()) return add();
    for (const ProbeSite& site : hooked.sites) {
      if (enabled.site != nullptr && std::holds_alternative<HookSyscall>(site.hook)) row = new_row(enabled);
      enabled.site = &site;
      add();
    }
  }

  uint32_t new_row(const EnabledProbe& enabled) {
    const Probe& probe = *enabled.probe;
    // Tracepoints tell where their arguments are only when asked.
    bool are_places_known = !probe.raw_args.empty() || !probe.sites.empty();
    if (!are_places_known && reads_arguments(enabled)) host_.load_args(probe, *meaning_.types);
    // A derived probe has several, and so has one of several system calls.
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
                                .name = probe.name});
    out_.layout.row_probes.push_back(&probe);
    return row;
  }

  uint64_t arguments_read(const EnabledProbe& enabled) const {
    uint64_t read = 0;
    for (uint32_t clause : enabled.clauses) read |= needs_[clause].arguments;
    return read;
  }
  bool reads_arguments(const EnabledProbe& enabled) const {
    return enabled.derived != nullptr || arguments_read(enabled) != 0;
  }

  bool any(const EnabledProbe& enabled, bool ClauseNeeds::* need) const {
    if (enabled.derived != nullptr) return true;
    return std::any_of(enabled.clauses.begin(), enabled.clauses.end(),
                       [&](uint32_t clause) { return needs_[clause].*need; });
  }

  void add_to_program(const EnabledProbe& enabled, uint32_t row, const HookTestRun& hook) {
    if (hook.role == HookTestRun::Role::Error) {
      out_.layout.error_clauses = enabled.clauses;
      for (uint32_t clause : enabled.clauses) out_.plan.clauses[clause].is_error_clause = true;
      return;
    }
    size_t program = new_program(enabled, row, BpfContext::RawTracepoint, RowSource::Constant);
    out_.layout.programs[program].expected_activity =
        hook.role == HookTestRun::Role::Begin ? DS_ACTIVITY_STARTING : DS_ACTIVITY_DRAINING;
    out_.plan.programs[program].attachments.push_back({.hook = hook, .cookie = row});
  }

  // A tick that describes nothing of what it interrupted is fired by the consumer's timer, which never loses one.
  void add_to_program(const EnabledProbe& enabled, uint32_t row, const HookTimer& hook) {
    bool is_context_read = any(enabled, &ClauseNeeds::firing_context);
    size_t program = new_program(enabled, row, is_context_read ? BpfContext::PerfEvent : BpfContext::RawTracepoint,
                                 RowSource::Constant);
    out_.plan.programs[program].attachments.push_back({.hook = hook, .cookie = row});
  }

  void add_to_program(const EnabledProbe& enabled, uint32_t row, const HookPerfClock& hook) {
    join_program(enabled, row, BpfContext::PerfEvent, hook, "perf");
  }

  void add_to_program(const EnabledProbe& enabled, uint32_t row, const HookPerfEvent& hook) {
    join_program(enabled, row, BpfContext::PerfEvent, hook, "perf");
  }

  void add_to_program(const EnabledProbe& enabled, uint32_t row, const HookRawTracepoint& hook) {
    join_program(enabled, row, BpfContext::RawTracepoint, hook, "raw");
  }

  // The record of a perf tracepoint is built for its arguments only; without them the raw tracepoint is cheaper and
  // detaches at once (kernel-facts.md B).
  void add_to_program(const EnabledProbe& enabled, uint32_t row, const HookTracepoint& hook) {
    if (reads_arguments(enabled)) join_program(enabled, row, BpfContext::Tracepoint, hook, "tp");
    else join_program(enabled, row, BpfContext::RawTracepoint, HookRawTracepoint{hook.name}, "raw");
  }

  void add_to_program(const EnabledProbe& enabled, uint32_t row, const HookUprobe& hook) {
    HookUprobe wanted = hook;
    if (follows_forks(options_)) wanted.pid = 0;
    size_t program = join_program(enabled, row, BpfContext::Probe, wanted,
                                  fmt::format("uprobe {} {}", static_cast<int>(hook.place), hook.pid - wanted.pid));
    out_.layout.programs[program].place = hook.place;
    out_.layout.programs[program].family = hook.pid - wanted.pid;
  }

  void add_to_program(const EnabledProbe& enabled, uint32_t row, const HookFunction& written) {
    HookFunction hook = written;
    hook.mechanism = mechanism_for(hook);
    bool is_alone = hook.mechanism == FunctionMechanism::Trampoline || hook.mechanism == FunctionMechanism::Security;
    join_program(enabled, row, is_alone ? BpfContext::Function : BpfContext::KernelProbe, hook,
                 fmt::format("function {} {}", static_cast<int>(hook.mechanism), hook.is_return));
  }

  // The kernel tells iterators and watched places apart by their programs alone.
  void add_to_program(const EnabledProbe& enabled, uint32_t row, const HookIterator& hook) {
    add_alone(enabled, row, BpfContext::Iterator, hook);
  }

  void add_to_program(const EnabledProbe& enabled, uint32_t row, const HookWatch& hook) {
    add_alone(enabled, row, BpfContext::PerfEvent, hook);
  }

  void add_alone(const EnabledProbe& enabled, uint32_t row, BpfContext context, const Hook& hook) {
    size_t program = new_program(enabled, row, context, RowSource::Constant);
    out_.plan.programs[program].attachments.push_back({.hook = hook, .cookie = row});
  }

  // What costs least when it fires, unless there are so many functions that attaching them one by one takes long.
  FunctionMechanism mechanism_for(const HookFunction& hook) {
    if (hook.mechanism == FunctionMechanism::Security) return hook.mechanism;
    if (!mechanisms_) mechanisms_ = host_.function_mechanisms();
    bool can_be_trampoline = mechanisms_->has_trampoline && hook.offset == 0 && hook.type_id != 0;
    bool has_others = mechanisms_->has_multi || mechanisms_->has_kprobe;
    bool are_few = functions_ <= max_trampolines_by_choice || !mechanisms_->has_multi;
    if (can_be_trampoline && (!has_others || (hook.takes_trampoline && are_few))) return FunctionMechanism::Trampoline;
    return mechanisms_->has_multi && hook.offset == 0 ? FunctionMechanism::Multi : FunctionMechanism::Kprobe;
  }

  // All system calls share one program per direction: the tracepoint pair is hit by every call whatever is enabled.
  void add_to_program(const EnabledProbe& enabled, uint32_t row, const HookSyscall& hook) {
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

  // Probes with the same context, clauses and sources of the arguments these read share one program; the cookie tells
  // them apart.
  template <typename AnyHook>
  size_t join_program(const EnabledProbe& enabled, uint32_t row, BpfContext context, const AnyHook& hook,
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
    auto found = joined_.find(key);
    if (found == joined_.end()) {
      size_t program = new_program(enabled, row, context, RowSource::Cookie);
      out_.plan.programs[program].cookie_by_copy =
          context == BpfContext::Function || (context == BpfContext::RawTracepoint && !facts_.has_raw_tp_cookie);
      found = joined_.emplace(std::move(key), program).first;
    } else {
      add_row(found->second, enabled, row);
    }
    out_.plan.programs[found->second].attachments.push_back({.hook = hook, .cookie = row});
    return found->second;
  }

  // What makes the probe out of the other one is in the program: it serves no other.
  size_t add_derived(const EnabledProbe& enabled, uint32_t row, BpfContext context, const Hook& hook) {
    size_t program = new_program(enabled, row, context, RowSource::Constant);
    out_.plan.programs[program].attachments.push_back({.hook = hook, .cookie = row});
    out_.plan.programs[program].has_typed_context = enabled.derived->derivation->subject.has_value();
    const auto* tracepoint = std::get_if<HookRawTracepoint>(&hook);
    out_.layout.programs[program].is_return = tracepoint != nullptr && tracepoint->name == "sys_exit";
    return program;
  }

  static uint32_t rank_of(UprobePlace place) {
    switch (place) {
      case UprobePlace::Entry: return 0;
      case UprobePlace::Anywhere:
      case UprobePlace::Within: return 1;
      case UprobePlace::Exit:
      case UprobePlace::Returned: return 2;
    }
    DS_UNREACHABLE();
  }

  // Programs on one hook run in the order of their attachment.
  void order_programs() {
    // A function of one instruction is entered before it is left.
    auto order = [](const ProgramLayout& layout) {
      constexpr uint32_t ranks = 3;
      uint32_t own = layout.derived != nullptr ? layout.derived->derivation->order : Derivation::default_order;
      return own * ranks + rank_of(layout.place);
    };
    std::vector<ProgramLayout>& layouts = out_.layout.programs;
    std::vector<size_t> sequence(layouts.size());
    std::iota(sequence.begin(), sequence.end(), size_t{0});
    std::stable_sort(sequence.begin(), sequence.end(),
                     [&](size_t a, size_t b) { return order(layouts[a]) < order(layouts[b]); });
    std::vector<ProgramLayout> ordered_layouts;
    std::vector<BpfProgramPlan> ordered_plans;
    for (size_t index : sequence) {
      ordered_layouts.push_back(std::move(layouts[index]));
      ordered_plans.push_back(std::move(out_.plan.programs[index]));
    }
    layouts = std::move(ordered_layouts);
    out_.plan.programs = std::move(ordered_plans);
  }

  // A child of vfork(2) runs in its parent's memory. Programs of several processes are left as they are.
  void keep_to_processes() {
    for (size_t i = 0; i < out_.plan.programs.size(); ++i) {
      std::optional<uint32_t> only;
      for (const Attachment& attachment : out_.plan.programs[i].attachments) {
        const auto* hook = std::get_if<HookUprobe>(&attachment.hook);
        uint32_t pid = hook != nullptr ? hook->pid : 0;
        only = !only || *only == pid ? pid : 0;
      }
      out_.layout.programs[i].only_process = only.value_or(0);
    }
  }

  // Reading the kernel's symbols takes 50 ms: only for programs that ask who called or how deep the stack is.
  void find_tracer_code() {
    bool is_wanted = false;
    walk_program(meaning_, [&](const Expr& expr, const ClauseInstance& clause) {
      const auto* variable = std::get_if<BuiltinVariable>(&meaning_.info(clause, expr).binding);
      is_wanted |=
          variable != nullptr && (*variable == BuiltinVariable::Caller || *variable == BuiltinVariable::Stackdepth);
    });
    if (!is_wanted) return;
    for (size_t i = 0; i < out_.plan.programs.size(); ++i)
      for (const Attachment& attachment : out_.plan.programs[i].attachments) {
        ProgramLayout& layout = out_.layout.programs[i];
        if (const auto* hook = std::get_if<HookRawTracepoint>(&attachment.hook)) {
          // bpf_trace_run1 ... 12 stand together, in any order; a tracepoint has functions of its own before them.
          if (layout.tracer_code.empty()) add_tracer_code(numbered("bpf_trace_run", 12), layout);
          for (const char* prefix : {"__traceiter_", "__bpf_trace_"}) add_tracer_code({prefix + hook->name}, layout);
        } else if (layout.tracer_code.empty() && is_fired_by_consumer(out_.plan.programs[i])) {
          for (const char* function : {"__bpf_prog_test_run_raw_tp", "bpf_prog_test_run_raw_tp"})
            add_tracer_code({function}, layout);
        }
      }
  }

  static std::vector<std::string> numbered(const char* name, int count) {
    std::vector<std::string> names;
    for (int i = 1; i <= count; ++i) names.push_back(fmt::format("{}{}", name, i));
    return names;
  }

  // From the first of the functions to the end of the last one.
  void add_tracer_code(const std::vector<std::string>& functions, ProgramLayout& layout) {
    uint64_t begin = UINT64_MAX, end = 0;
    for (const std::string& function : functions) {
      auto symbol = host_.find_symbol(*meaning_.types, "", function);
      if (!symbol || symbol->address == 0) continue;
      begin = std::min(begin, symbol->address);
      end = std::max(end, symbol->address);
    }
    if (end != 0) layout.tracer_code.emplace_back(begin, end + longest_tracer_function);
  }

  size_t new_program(const EnabledProbe& enabled, uint32_t row, BpfContext context, RowSource source) {
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

  void add_row(size_t program, const EnabledProbe& enabled, uint32_t row) {
    ProgramLayout& layout = out_.layout.programs[program];
    if (!layout.rows.empty() && layout.rows.back() == row) return;  // another place of the probe
    auto list = std::find(layout.lists.begin(), layout.lists.end(), enabled.clauses);
    layout.rows.push_back(row);
    layout.list_of_row.push_back(static_cast<uint32_t>(list - layout.lists.begin()));
    if (list == layout.lists.end()) layout.lists.push_back(enabled.clauses);
    layout.outlines_clauses = out_.layout.outlines_clauses;
  }

  const Semantics& meaning_;
  const OptionValues& options_;
  Host& host_;
  const MachineFacts& facts_;
  std::vector<ClauseNeeds> needs_;
  std::map<std::string, size_t> joined_;
  std::unordered_map<uint32_t, std::deque<uint32_t>> rows_before_;  // by id of their probe
  size_t functions_ = 0;                                            // of the kernel: probes on them
  std::optional<FunctionMechanisms> mechanisms_;
  CompiledPlan out_;
};

}  // namespace

bool is_fired_by_consumer(const BpfProgramPlan& program) {
  return program.context == BpfContext::RawTracepoint &&
         std::ranges::all_of(program.attachments, [](const Attachment& attachment) {
           return std::holds_alternative<HookTestRun>(attachment.hook) ||
                  std::holds_alternative<HookTimer>(attachment.hook);
         });
}

CompiledPlan build_plan(const Semantics& meaning, const OptionValues& options, Host& host, const CompiledPlan* before) {
  return PlanBuilder(meaning, options, host, before).build();
}

}  // namespace dscope
