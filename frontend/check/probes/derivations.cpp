#include "frontend/check/probes/derivations.h"

#include <algorithm>
#include <utility>

#include "frontend/check/expressions/argument_typer.h"
#include "frontend/check/expressions/expression_typer.h"
#include "frontend/check/probes/statement_typer.h"
#include "frontend/check/typing_state.h"

namespace dscope {

void Derivations::derive(const Probe& probe) {
  bool is_known = std::any_of(semantics_.derived_probes.begin(), semantics_.derived_probes.end(),
                              [&](const DerivedProbe& derived) { return derived.probe == &probe; });
  if (probe.derivations.empty() || is_known) return;
  auto found = context_.program.derivations.find(probe.id);
  if (found == context_.program.derivations.end()) return;  // a run that needs only the syntax
  for (size_t i = 0; i < found->second.size() && !failed(); ++i)
    derive(probe, probe.derivations[i], std::get<Clause>(found->second[i].externals.front().form));
}

void Derivations::derive(const Probe& probe, const Derivation& derivation, const Clause& clause) {
  const ProbeSpecifier& specifier = clause.probes.front();
  ClauseInstance instance{.clause = &clause};
  instance.probes = host_.match(description_of(specifier));
  instance.infos.resize(clause.end_node.index - clause.first_node.index);
  if (instance.probes.empty()) {
    fail(Tag::D_PDESC_ZERO, specifier.at, "probe {}:{}:{}:{} is derived from a missing probe", probe.provider,
         probe.module, probe.function, probe.name);
    return;
  }
  semantics_.derived_probes.push_back({.probe = &probe, .derivation = &derivation, .instance = std::move(instance)});
  type(semantics_.derived_probes.back());
}

void Derivations::type(DerivedProbe& derived) {
  context_.instance = &derived.instance;
  UnitKind kind = std::exchange(context_.unit.kind, UnitKind::Library);
  typing_.start();
  arguments_.start_instance();
  const Clause& clause = *derived.instance.clause;
  derived.arguments.clear();
  derived.raw_arguments.clear();
  for (const Statement* statement : clause.body) {
    const Expr& expr = *std::get<ExprStatement>(statement->form).expr;
    const auto* both = std::get_if<Comma>(&expr.form);
    expressions_.check(expr);
    derived.raw_arguments.push_back(both != nullptr ? both->lhs : &expr);
    derived.arguments.push_back(both != nullptr ? both->rhs : &expr);
  }
  if (!failed()) statements_.type_predicate(clause, {});
  context_.unit.kind = kind;
  context_.instance = nullptr;
}

}  // namespace dscope
