#include "frontend/check/created_names.h"

#include <algorithm>

#include "frontend/syntax/operators.h"

namespace dscope {

const Expr* created_target(const Expr& expr) {
  const auto* assign = std::get_if<Assign>(&expr.form);
  return assign != nullptr && assign->op ? nullptr : changed_operand(expr);
}

void for_each_clause_expr(const Program& program, const ProgramUnit& unit,
                          const std::function<void(const Expr& expr)>& visit) {
  for (const External& external : unit.externals) {
    const auto* clause = std::get_if<Clause>(&external.form);
    if (clause == nullptr) continue;
    uint32_t end = std::min(clause->end_node.index, static_cast<uint32_t>(program.exprs.size()));
    for (uint32_t i = clause->first_node.index; i < end; ++i) visit(program.exprs[i]);
  }
}

NameSet created_globals(const Program& program, const ProgramUnit& unit) {
  NameSet names;
  for (const External& external : unit.externals) {
    if (const auto* declaration = std::get_if<Declaration>(&external.form))
      for (const Declarator* declarator : declaration->declarators) names.insert(declarator->name);
    if (const auto* definition = std::get_if<InlineDefinition>(&external.form))
      names.insert(definition->declarator->name);
  }
  for_each_clause_expr(program, unit, [&](const Expr& expr) {
    const Expr* target = created_target(expr);
    if (target == nullptr) return;
    const auto* index = std::get_if<Index>(&target->form);
    const auto* name = std::get_if<Name>(index == nullptr ? &target->form : &index->base->form);
    if (name != nullptr && name->scope == VariableScope::Global) names.insert(name->name);
  });
  return names;
}

}  // namespace dscope
