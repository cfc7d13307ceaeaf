#include "frontend/check/probes/statement_typer.h"

#include "frontend/check/actions/aggregation_typer.h"
#include "frontend/check/expressions/call_typer.h"
#include "frontend/check/expressions/expression_typer.h"
#include "frontend/check/expressions/translated_objects.h"
#include "frontend/check/name_table.h"

namespace dscope {

void StatementTyper::type_predicate(const Clause& clause, const Position& end) {
  if (clause.predicate == nullptr) return;
  diagnostics_.set_phase(DiagnosticPhase::Predicate);
  ExprInfo result = expressions_.check_condition(*clause.predicate);
  if (failed() || is_error(result) || types_.is_scalar(result.type)) return;
  Position at = clause.predicate->at;
  at.line = end.line;
  at.file = end.file;
  fail(Tag::D_PRED_SCALAR, at, "predicate must be of scalar type, not {}", types_.spell(result.type));
  if (types_.is_string(result.type)) diagnostics_.hint("compare it with a string: `execname == \"bash\"`");
}

// ---------------------------------------------------------------- statements: types
void StatementTyper::type(const std::vector<Statement*>& body) {
  for (const Statement* statement : body) {
    type_statement(*statement);
    if (failed()) return;
  }
}

void StatementTyper::type_statement(const Statement& statement) {
  context_.statement = &statement;
  if (const auto* form = std::get_if<ExprStatement>(&statement.form)) {
    type_statement_expr(*form->expr);
    return;
  }
  const auto& form = std::get<IfStatement>(statement.form);
  ExprInfo condition = expressions_.check_condition(*form.condition);
  if (failed()) return;
  if (!is_error(condition) && !types_.is_scalar(condition.type)) {
    fail(Tag::D_OP_SCALAR, form.condition->at, "condition of if must be of scalar type, not {}",
         types_.spell(condition.type));
    return;
  }
  type(form.then_body);
  if (!failed()) type(form.else_body);
}

ExprInfo StatementTyper::type_statement_expr(const Expr& expr) {
  const Expr* target = &expr;
  if (const auto* index = std::get_if<Index>(&expr.form)) target = index->base;
  if (const auto* reference = std::get_if<AggregationRef>(&target->form))
    return fail(Tag::D_AGG_NULL, expr.at, "expression has null effect: @{}", reference->name);
  if (const auto* assign = std::get_if<Assign>(&expr.form))
    if (const AggregationRef* reference = aggregation_target(*assign->lhs); reference && !assign->op)
      return expressions_.store(expr, aggregations_.type(expr, *assign, *reference));
  if (const auto* ternary = std::get_if<Ternary>(&expr.form))
    if (has_effect(*ternary->then_value) || has_effect(*ternary->else_value))
      return type_statement_ternary(expr, *ternary);
  if (std::holds_alternative<Comma>(expr.form) && has_effect(expr) && !has_bare_action(expr)) return type_branch(expr);
  calls_.allow_action(expr, ActionPosition::Statement);
  ExprInfo result = expressions_.check(expr);
  if (result.translated != nullptr)
    return fail(Tag::D_CG_DYN, expr.at, "expression cannot evaluate to a translated {}",
                types_.spell(translated_objects_.type_of(*result.translated)));
  return result;
}

// A statement `c ? printf(...) : 1` is an if/else. With a constant condition only the branch taken must be valid: shell
// wrappers choose the output of their scripts this way. The value is unused, so the types of the branches may differ.
ExprInfo StatementTyper::type_statement_ternary(const Expr& expr, const Ternary& ternary) {
  ExprInfo condition = expressions_.check_condition(*ternary.condition);
  if (failed()) return {};
  if (!is_error(condition) && !types_.is_scalar(condition.type))
    return fail(Tag::D_OP_SCALAR, caret_at(expr, *ternary.condition), "condition of ?: must be of scalar type, not {}",
                types_.spell(condition.type));
  if (condition.constant) {
    type_branch(*condition.constant != 0 ? *ternary.then_value : *ternary.else_value);
  } else {
    type_branch(*ternary.then_value);
    if (!failed()) type_branch(*ternary.else_value);
  }
  return expressions_.store(expr, value(types_.void_type()));
}

// A branch may be a list of statements: c ? (printf("a"), @n = count()) : 1.
ExprInfo StatementTyper::type_branch(const Expr& expr) {
  const auto* comma = std::get_if<Comma>(&expr.form);
  if (comma == nullptr) return type_statement_expr(expr);
  type_branch(*comma->lhs);
  if (!failed()) type_branch(*comma->rhs);
  return failed() ? ExprInfo{} : expressions_.store(expr, value(types_.void_type()));
}

// An action that is itself an operand of the comma operator is an error in D (D_OP_ACT).
bool StatementTyper::has_bare_action(const Expr& expr) const {
  const auto* comma = std::get_if<Comma>(&expr.form);
  return comma != nullptr ? has_bare_action(*comma->lhs) || has_bare_action(*comma->rhs) : is_action_call(expr);
}

// Whether an operand of a statement has effects of its own, which makes it a statement rather than a value.
bool StatementTyper::has_effect(const Expr& expr) const {
  if (const auto* ternary = std::get_if<Ternary>(&expr.form))
    return has_effect(*ternary->then_value) || has_effect(*ternary->else_value);
  if (const auto* comma = std::get_if<Comma>(&expr.form)) return has_effect(*comma->lhs) || has_effect(*comma->rhs);
  return std::holds_alternative<Assign>(expr.form) || is_action_call(expr);
}

bool StatementTyper::is_action_call(const Expr& expr) const {
  const auto* call = std::get_if<Call>(&expr.form);
  const auto* name = call ? std::get_if<Name>(&call->callee->form) : nullptr;
  return name != nullptr && name->scope == VariableScope::Global &&
         std::holds_alternative<Action>(names_.find_callee(name->name));
}

}  // namespace dscope
