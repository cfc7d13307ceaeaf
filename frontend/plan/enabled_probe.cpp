#include "frontend/plan/enabled_probe.h"

#include <unordered_map>

#include "frontend/semantics/walk.h"
#include "support/check.h"

namespace dscope {

namespace {

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

// These access the memory of the process, or ask for its identity.
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

}  // namespace

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
                   [&](const BuiltinVariable& id) { needs.firing_context |= is_firing_context(id); },
                   [&](const Subroutine& id) { needs.firing_context |= is_firing_context(id); },
                   [&](const Action& id) { needs.firing_context |= is_firing_context(id); },
                   [&](const RawArgument& id) { add_argument(id.index); },
                   [&](const TypedArgument& id) { add_argument(id.index); },
                   [&](const UserRegister&) { needs.firing_context = true; },
                   [&](const VariableId& id) {
                     needs.firing_context |= meaning.variables[id.index].scope == VariableScope::Self;
                   },
                   [](const auto&) {},
               },
               info.binding);
  });
  return needs;
}

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

}  // namespace dscope
