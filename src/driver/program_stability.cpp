#include "driver/program_stability.h"

#include "driver/stability_report.h"
#include "frontend/walk.h"
#include "support/check.h"

namespace dscope {

namespace {

constexpr Attributes kernel_object{Stability::Private, Stability::Private, DependencyClass::Unknown};
constexpr Attributes current_thread{Stability::Stable, Stability::Private, DependencyClass::Common};

// What the statements of a clause rely on: the lowest of all they name.
Attributes statement_attributes(const Semantics& meaning, const ClauseInstance& clause, Host& host) {
  Attributes lowest;
  walk_clause(meaning, clause, [&](const Expr& expr) {
    const Binding& binding = meaning.info(clause, expr).binding;
    const auto* variable = std::get_if<BuiltinVariable>(&binding);
    if (variable != nullptr && *variable == BuiltinVariable::Curthread) lowest = minimum(lowest, current_thread);
    if (std::holds_alternative<SymbolAddress>(binding)) lowest = minimum(lowest, kernel_object);
    if (std::holds_alternative<MemberPlace>(binding)) {
      const auto& member = std::get<Member>(expr.form);
      const Type& base = meaning.types->resolved(meaning.info(clause, *member.base).type);
      const Type& object = member.is_arrow ? meaning.types->resolved(base.base) : base;
      if (object.origin != 0) lowest = minimum(lowest, kernel_object);
    }
    if (std::holds_alternative<TypedArgument>(binding) && !clause.probes.empty())
      lowest = minimum(lowest, host.provider_attributes(clause.probes[0]->provider).args);
  });
  return lowest;
}

ProbeDescription description_of(const ProbeSpecifier& probe) {
  return {probe.id, probe.provider, probe.module, probe.function, probe.name};
}

}  // namespace

std::string stability_reports(const Compilation& compilation, Host& host, bool with_descriptions) {
  std::string text;
  TypeTable types;
  for (UnitId id : compilation.user_units) {
    const SourceUnit& unit = compilation.sources.unit(id);
    ProgramStability program{.is_script = unit.kind == UnitKind::Script,
                             .name = unit.kind == UnitKind::Script ? unit.name : std::string(notice_name(unit.name)),
                             .probes = {},
                             .statements = {}};
    std::string descriptions;
    for (const ClauseInstance& clause : compilation.meaning.clauses) {
      ProbeDescription description = description_of(clause.clause->probes[clause.specifier]);
      if (compilation.sources.locate(clause.clause->probes[0].at.range.begin).unit != id) continue;
      program.probes = minimum(program.probes, description_attributes(host, description));
      program.statements = minimum(program.statements, statement_attributes(compilation.meaning, clause, host));
      if (with_descriptions) descriptions += description_report(host, types, description);
    }
    text += program_report(program) + descriptions;
  }
  return text;
}

}  // namespace dscope
