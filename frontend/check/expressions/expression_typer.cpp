// check(expr): the one way into the typing of an expression, and the forms that need no rules of their own.
#include "frontend/check/checker.h"

namespace dscope {

ExprInfo Checker::check(const Expr& expr) {
  // The parser refuses deeper trees; this one is for trees made otherwise.
  if (depth_ >= 2 * program_.max_levels) return fail(Tag::D_SYNTAX, expr.at, "expression is nested too deeply");
  ++depth_;
  ExprInfo result = std::visit([&](const auto& form) { return check(expr, form); }, expr.form);
  --depth_;
  return store(expr, result);
}

ExprInfo Checker::store(const Expr& expr, ExprInfo result) {
  result.is_checked = true;
  result.attributes = attributes_of(expr, result);
  require_attributes(expr, result.attributes);
  uint32_t index = expr.id.index;
  if (instance_ != nullptr) {
    const Clause& clause = *instance_->clause;
    if (index >= clause.first_node.index && index < clause.end_node.index)
      return instance_->infos[index - clause.first_node.index] = result;
  }
  if (index >= meaning_.global_infos.size()) meaning_.global_infos.resize(index + 1);
  return meaning_.global_infos[index] = result;
}

const ExprInfo* Checker::known_info(const Expr& expr) const {
  uint32_t index = expr.id.index;
  if (instance_ != nullptr) {
    const Clause& clause = *instance_->clause;
    if (index >= clause.first_node.index && index < clause.end_node.index)
      return &instance_->infos[index - clause.first_node.index];
  }
  return index < meaning_.global_infos.size() ? &meaning_.global_infos[index] : nullptr;
}

ExprInfo Checker::info(const Expr& expr) const {
  const ExprInfo* known = known_info(expr);
  return known != nullptr ? *known : ExprInfo{};
}

ExprInfo Checker::value(TypeId type) const {
  return {.type = type, .space = types_.is_string(type) ? Space::Storage : Space::None, .is_checked = true};
}

ExprInfo Checker::constant(TypeId type, uint64_t number) const {
  ExprInfo result = value(type);
  result.constant = narrow(types_, type, number);
  return result;
}

bool Checker::is_zero(const ExprInfo& info) const {
  return info.constant && *info.constant == 0 && types_.is_integer(info.type);
}

bool Checker::is_compatible_value(TypeId formal, const ExprInfo& actual) const {
  return is_compatible(types_, formal, actual.type, is_zero(actual));
}

ExprInfo Checker::check(const Expr&, const IntLiteral& form) {
  static constexpr std::string_view names[] = {"int",           "unsigned int", "long",
                                               "unsigned long", "long long",    "unsigned long long"};
  TypeId type = *types_.find(names[static_cast<size_t>(form.type)]);
  // A long of 32 bits may be too short for what the lexer found to fit one.
  bool is_signed = types_.is_signed_integer(type);
  bool is_too_short = types_.size_of(type) == 4 && form.value >> (is_signed ? 31 : 32) != 0;
  return constant(is_too_short ? types_.long_long(is_signed) : type, form.value);
}

ExprInfo Checker::check(const Expr&, const StringLiteral&) { return value(types_.string_type()); }

ExprInfo Checker::check(const Expr&, const Alternative& form) {
  size_t deferred = deferred_.size();
  const Expr* chosen = form.first;
  bool had_alternative = std::exchange(has_alternative_, true);
  check(*chosen);
  has_alternative_ = had_alternative;
  if (failed()) {
    diagnostics_.clear();
    deferred_.resize(deferred);
    chosen = form.second;
    check(*chosen);
  }
  if (failed()) return {};
  return standing_for(*chosen, info(*chosen).type);
}

ExprInfo Checker::check(const Expr& expr, const Comma& form) {
  check(*form.lhs);
  if (failed()) return {};
  ExprInfo right = check(*form.rhs);
  if (failed()) return {};
  for (const Expr* operand : {form.lhs, form.rhs}) {
    ExprInfo side = info(*operand);
    if (std::holds_alternative<Action>(side.binding))
      return fail(Tag::D_OP_ACT, place(expr, *operand), "an action may not be an operand of ,");
    if (types_.resolved(side.type).kind == TypeKind::Dynamic)
      return fail(Tag::D_OP_DYN, place(expr, *operand), "operand of , may not be of dynamic type");
  }
  return {.type = right.type, .space = right.space, .constant = {}};
}

}  // namespace dscope
