#include "frontend/plan/interval_marks.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "frontend/semantics/walk.h"

namespace dscope {

namespace {

// The mark of `self->x = timestamp` and of `self->x = 0`.
std::optional<IntervalMark> mark_of(const Semantics& meaning, const ClauseInstance& clause, const Expr& statement) {
  const auto* assign = std::get_if<Assign>(&statement.form);
  if (assign == nullptr || assign->op) return std::nullopt;
  const auto* variable = std::get_if<Name>(&assign->lhs->form);
  if (variable == nullptr || variable->scope != VariableScope::Self) return std::nullopt;
  const ExprInfo& value = meaning.info(clause, *assign->rhs);
  const auto* builtin = std::get_if<BuiltinVariable>(&value.binding);
  bool is_begin = builtin != nullptr && *builtin == BuiltinVariable::Timestamp;
  if (!is_begin && value.constant != 0) return std::nullopt;
  return IntervalMark{.clause = clause.number, .variable = variable->name, .is_begin = is_begin};
}

}  // namespace

std::vector<IntervalMark> find_interval_marks(const Semantics& meaning, const std::vector<ClausePlan>& clauses) {
  std::vector<IntervalMark> marks;
  for (const ClauseInstance& clause : meaning.clauses) {
    if (!clauses[clause.number].has_record || clause.probes.empty()) continue;
    // The last store of the clause counts.
    std::map<std::string, IntervalMark> last;
    walk_statements(meaning, clause, [&](const Expr& statement, bool is_conditional) {
      if (is_conditional) return;
      if (auto mark = mark_of(meaning, clause, statement)) last.insert_or_assign(mark->variable, *mark);
    });
    for (auto& [variable, mark] : last) marks.push_back(std::move(mark));
  }
  auto has_no_other_end = [all = marks](const IntervalMark& mark) {
    return std::ranges::none_of(all, [&](const IntervalMark& other) {
      return other.variable == mark.variable && other.is_begin != mark.is_begin;
    });
  };
  std::erase_if(marks, has_no_other_end);
  return marks;
}

}  // namespace dscope
