#include "frontend/check/probes/early_checks.h"

#include "frontend/check/expressions/call_typer.h"
#include "frontend/check/expressions/conversion_typer.h"

namespace dscope {

void EarlyChecks::check_function_names(const Clause& clause) {
  for (uint32_t i = clause.first_node.index; i < clause.end_node.index; ++i) {
    if (i >= context_.program.exprs.size() || context_.program.exprs[i].id.index != i) return;
    const auto* call = std::get_if<Call>(&context_.program.exprs[i].form);
    if (call != nullptr) calls_.resolve_callee(context_.program.exprs[i], *call);
    if (failed()) return;
  }
}

namespace {

// A literal 0; the values of named constants are known only when the clause is typed.
bool is_literal_zero(const Expr& expr) {
  if (const auto* literal = std::get_if<IntLiteral>(&expr.form)) return literal->value == 0;
  const auto* unary = std::get_if<Unary>(&expr.form);
  bool is_sign = unary != nullptr && (unary->op == UnaryOp::Minus || unary->op == UnaryOp::Plus);
  return is_sign && is_literal_zero(*unary->operand);
}

bool divides_by_literal_zero(const Expr& expr) {
  auto is_division = [](BinaryOp op) { return op == BinaryOp::Divide || op == BinaryOp::Modulo; };
  if (const auto* binary = std::get_if<Binary>(&expr.form))
    return is_division(binary->op) && is_literal_zero(*binary->rhs);
  const auto* assign = std::get_if<Assign>(&expr.form);
  return assign != nullptr && assign->op && is_division(*assign->op) && is_literal_zero(*assign->rhs);
}

}  // namespace

void EarlyChecks::check_constants(const Clause& clause) {
  for (uint32_t i = clause.first_node.index; i < clause.end_node.index && !failed(); ++i) {
    if (i >= context_.program.exprs.size() || context_.program.exprs[i].id.index != i) return;
    const Expr& expr = context_.program.exprs[i];
    if (const auto* offset = std::get_if<Offsetof>(&expr.form)) conversions_.check(expr, *offset);
    else if (divides_by_literal_zero(expr)) fail(Tag::D_DIV_ZERO, expr.at, "expression contains division by zero");
  }
}

}  // namespace dscope
