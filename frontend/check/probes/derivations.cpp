// Derived probes: what makes a probe out of another one is a clause on that one. Here it is typed once for each probe
// that the program's clauses are bound to; its arguments are what args[] and argN mean there.
#include "frontend/check/checker.h"

namespace dscope {

void Checker::derive(const Probe& probe) {
  bool is_known = std::any_of(meaning_.derived_probes.begin(), meaning_.derived_probes.end(),
                              [&](const DerivedProbe& derived) { return derived.probe == &probe; });
  if (probe.derivations.empty() || is_known) return;
  auto found = program_.derivations.find(probe.id);
  if (found == program_.derivations.end()) return;  // only the syntax was asked for
  for (size_t i = 0; i < found->second.size() && !failed(); ++i)
    derive(probe, probe.derivations[i], std::get<Clause>(found->second[i].externals.front().form));
}

void Checker::derive(const Probe& probe, const Derivation& derivation, const Clause& clause) {
  const ProbeSpecifier& specifier = clause.probes.front();
  ClauseInstance instance{.clause = &clause};
  instance.probes = host_.match(description_of(specifier));
  instance.infos.resize(clause.end_node.index - clause.first_node.index);
  if (instance.probes.empty()) {
    fail(Tag::D_PDESC_ZERO, specifier.at, "probe {}:{}:{}:{} is made of one that is not there", probe.provider,
         probe.module, probe.function, probe.name);
    return;
  }
  meaning_.derived_probes.push_back({.probe = &probe, .derivation = &derivation, .instance = std::move(instance)});
  type_derivation(meaning_.derived_probes.back());
}

void Checker::type_derivation(DerivedProbe& derived) {
  instance_ = &derived.instance;
  UnitKind kind = std::exchange(unit_kind_, UnitKind::Library);
  start_typing();
  const Clause& clause = *derived.instance.clause;
  derived.arguments.clear();
  derived.raw_arguments.clear();
  for (const Statement* statement : clause.body) {
    const Expr& expr = *std::get<ExprStatement>(statement->form).expr;
    const auto* both = std::get_if<Comma>(&expr.form);
    check(expr);
    derived.raw_arguments.push_back(both != nullptr ? both->lhs : &expr);
    derived.arguments.push_back(both != nullptr ? both->rhs : &expr);
  }
  if (!failed()) type_predicate(clause, {});
  unit_kind_ = kind;
  instance_ = nullptr;
}

// The meaning of args[index]; null if the probe is not derived. Its derivations agree on the types.
const ExprInfo* Checker::derived_argument(const Probe& probe, uint64_t index) const {
  for (const DerivedProbe& derived : meaning_.derived_probes)
    if (derived.probe == &probe && index < derived.arguments.size())
      return &meaning_.info(derived.instance, *derived.arguments[index]);
  return nullptr;
}

}  // namespace dscope
