#include "frontend/plan/enabled_probe.h"

#include <unordered_map>

#include "frontend/semantics/walk.h"
#include "support/check.h"

namespace dscope {

namespace {

bool reads_stack(BuiltinVariable variable) {
  switch (variable) {
    case BuiltinVariable::Caller:
    case BuiltinVariable::Ucaller:
    case BuiltinVariable::Stackdepth:
    case BuiltinVariable::Ustackdepth: return true;
    default: return false;
  }
}

}  // namespace

ClauseNeeds needs_of(const Semantics& meaning, const ClauseInstance& clause) {
  ClauseNeeds needs;
  auto add_argument = [&](uint32_t index) {
    needs.arguments |= argument_bit(index);
    needs.firing_context = true;
  };
  auto add_row = [&](auto id) { needs.firing_context |= row(id).context != FiringContext::Anywhere; };
  walk_clause(meaning, clause, [&](const Expr& expr) {
    const ExprInfo& info = meaning.info(clause, expr);
    if (info.constant) return;
    std::visit(Overloaded{
                   [&](const BuiltinVariable& id) {
                     add_row(id);
                     needs.stacks |= reads_stack(id);
                   },
                   [&](const Subroutine& id) { add_row(id); },
                   [&](const Action& id) {
                     add_row(id);
                     needs.stacks |=
                         row(id).value == ActionValue::KernelStack || row(id).value == ActionValue::UserStack;
                   },
                   [&](const RawArgument& id) { add_argument(id.index); },
                   [&](const TypedArgument& id) { add_argument(id.index); },
                   [&](const UserRegister&) { needs.firing_context = needs.registers = true; },
                   [&](const TracedName& id) {
                     needs.traced_names.insert(id.index);
                     needs.firing_context = needs.registers = true;
                   },
                   [&](const VariableId& id) {
                     const Variable& variable = meaning.variables[id.index];
                     needs.firing_context |= variable.scope == VariableScope::Self;
                     if (variable.follows_goroutines && meaning.goroutine_name)
                       needs.traced_names.insert(*meaning.goroutine_name);
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
