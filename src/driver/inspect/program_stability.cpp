#include "driver/inspect/program_stability.h"

#include "driver/inspect/stability_report.h"
#include "frontend/semantics/walk.h"
#include "support/check.h"
#include "support/deep_stack.h"

namespace dscope {

namespace {

// The lowest stability of the names that the statements of a clause use, including those inside inlines and
// translators.
Attributes statement_attributes(const Semantics& meaning, const ClauseInstance& clause) {
  Attributes lowest;
  walk_clause(meaning, clause, [&](const Expr& expr) {
    if (clause.clause->contains(expr.id)) lowest = minimum(lowest, meaning.info(clause, expr).attributes);
  });
  return lowest;
}

}  // namespace

std::vector<std::string> stability_reports(const Compilation& compilation, Host& host, bool with_descriptions) {
  DeepStack stack;
  std::vector<std::string> reports;
  TypeTable types;
  for (UnitId id : compilation.user_units) {
    const SourceUnit& unit = compilation.sources.unit(id);
    ProgramStability program{.is_script = unit.kind == UnitKind::Script,
                             .name = unit.kind == UnitKind::Script ? unit.name : std::string(notice_name(unit.name)),
                             .probes = {},
                             .statements = {}};
    std::string descriptions;
    for (const ClauseInstance& clause : compilation.meaning.clauses) {
      if (clause.clause->probes.empty()) continue;
      ProbeDescription description = clause.bound_to();
      if (compilation.sources.locate(clause.clause->probes[0].at.range.begin).unit != id) continue;
      program.probes = minimum(program.probes, description_attributes(host, description));
      program.statements = minimum(program.statements, statement_attributes(compilation.meaning, clause));
      if (with_descriptions)
        descriptions += description_report(host, types, description, compilation.meaning.providers);
    }
    reports.push_back(program_report(program) + (with_descriptions ? descriptions : "\n"));
  }
  return reports;
}

}  // namespace dscope
