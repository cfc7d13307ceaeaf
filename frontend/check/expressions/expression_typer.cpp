#include "frontend/check/expressions/expression_typer.h"

#include <utility>

#include "frontend/check/expressions/assignment_typer.h"
#include "frontend/check/expressions/call_typer.h"
#include "frontend/check/expressions/conversion_typer.h"
#include "frontend/check/expressions/element_typer.h"
#include "frontend/check/expressions/expansions.h"
#include "frontend/check/expressions/member_typer.h"
#include "frontend/check/expressions/name_typer.h"
#include "frontend/check/expressions/operator_typer.h"
#include "frontend/check/expressions/stability_rules.h"
#include "frontend/check/expressions/translated_objects.h"
#include "frontend/check/typing_state.h"
#include "support/check.h"

namespace dscope {

ExprInfo ExpressionTyper::check(const Expr& expr) {
  // The parser rejects deeper trees; this check is for trees that expansions make.
  if (depth_ >= 2 * context_.program.max_levels) return fail(Tag::D_SYNTAX, expr.at, "expression is nested too deeply");
  ++depth_;
  ExprInfo result = check_form(expr);
  --depth_;
  return store(expr, result);
}

ExprInfo ExpressionTyper::check_form(const Expr& expr) {
  return std::visit(Overloaded{[&](const IntLiteral& form) { return check_literal(form); },
                               [&](const StringLiteral&) { return value(types_.string_type()); },
                               [&](const Alternative& form) { return check_alternative(form); },
                               [&](const Comma& form) { return check_comma(expr, form); },
                               [&](const Name& form) { return forms_.names.check(expr, form); },
                               [&](const SymbolRef& form) { return forms_.names.check(expr, form); },
                               [&](const AggregationRef& form) { return forms_.names.check(expr, form); },
                               [&](const Index& form) { return forms_.elements.check(expr, form); },
                               [&](const Call& form) { return forms_.calls.check(expr, form); },
                               [&](const Member& form) { return forms_.members.check(expr, form); },
                               [&](const Unary& form) { return forms_.operators.check(expr, form); },
                               [&](const Binary& form) { return forms_.operators.check(expr, form); },
                               [&](const Ternary& form) { return forms_.operators.check(expr, form); },
                               [&](const Assign& form) { return forms_.assignments.check(expr, form); },
                               [&](const Cast& form) { return forms_.conversions.check(expr, form); },
                               [&](const Stringof& form) { return forms_.conversions.check(expr, form); },
                               [&](const SizeofExpr& form) { return forms_.conversions.check(expr, form); },
                               [&](const SizeofType& form) { return forms_.conversions.check(expr, form); },
                               [&](const Offsetof& form) { return forms_.conversions.check(expr, form); },
                               [&](const Xlate& form) { return forms_.translated_objects.check(expr, form); }},
                    expr.form);
}

ExprInfo ExpressionTyper::check_condition(const Expr& expr) {
  return translated_objects_.as_untranslated(expr, check(expr));
}

ExprInfo ExpressionTyper::store(const Expr& expr, ExprInfo result) {
  result.is_checked = true;
  result.attributes = stability_.attributes_of(expr, result);
  stability_.require(expr, result.attributes);
  uint32_t index = expr.id.index;
  if (context_.instance != nullptr) {
    const Clause& clause = *context_.instance->clause;
    if (index >= clause.first_node.index && index < clause.end_node.index)
      return context_.instance->infos[index - clause.first_node.index] = result;
  }
  if (index >= semantics_.global_infos.size()) semantics_.global_infos.resize(index + 1);
  return semantics_.global_infos[index] = result;
}

ExprInfo ExpressionTyper::check_literal(const IntLiteral& form) {
  static constexpr std::string_view names[] = {"int",           "unsigned int", "long",
                                               "unsigned long", "long long",    "unsigned long long"};
  TypeId type = *types_.find(names[static_cast<size_t>(form.type)]);
  // The lexer assumes 64-bit longs; with 32-bit ones, the literal may need a long long.
  bool is_signed = types_.is_signed_integer(type);
  bool is_too_short = types_.size_of(type) == 4 && form.value >> (is_signed ? 31 : 32) != 0;
  return constant(is_too_short ? types_.long_long(is_signed) : type, form.value);
}

ExprInfo ExpressionTyper::check_alternative(const Alternative& form) {
  TypingState::Snapshot before = typing_.snapshot();
  const Expr* chosen = form.first;
  bool had_alternative = std::exchange(has_alternative_, true);
  check(*chosen);
  has_alternative_ = had_alternative;
  if (failed()) {
    diagnostics_.clear();
    typing_.restore(std::move(before));
    chosen = form.second;
    check(*chosen);
  }
  if (failed()) return {};
  return expansions_.replacement_info(*chosen, info(*chosen).type);
}

ExprInfo ExpressionTyper::check_comma(const Expr& expr, const Comma& form) {
  check(*form.lhs);
  if (failed()) return {};
  ExprInfo right = check(*form.rhs);
  if (failed()) return {};
  for (const Expr* operand : {form.lhs, form.rhs}) {
    ExprInfo side = info(*operand);
    if (std::holds_alternative<Action>(side.binding))
      return fail(Tag::D_OP_ACT, caret_at(expr, *operand), "an action may not be an operand of ,");
    if (types_.resolved(side.type).kind == TypeKind::Dynamic)
      return fail(Tag::D_OP_DYN, caret_at(expr, *operand), "operand of , may not be of dynamic type");
  }
  return {.type = right.type, .space = right.space, .constant = {}};
}

}  // namespace dscope
