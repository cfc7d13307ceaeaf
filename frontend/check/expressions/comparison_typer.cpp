#include "frontend/check/expressions/comparison_typer.h"

#include "frontend/check/declarations/type_finder.h"
#include "frontend/check/expressions/expression_typer.h"
#include "frontend/check/expressions/type_errors.h"
#include "frontend/check/name_table.h"

namespace dscope {

// Kernel enumerators are not global names. They are recognized as a bare name on the right of a comparison with a value
// of their enum.
ExprInfo ComparisonTyper::check_right_operand(const Binary& form, const ExprInfo& left) {
  bool is_comparison = form.op >= BinaryOp::Less && form.op <= BinaryOp::NotEqual;
  if (is_comparison)
    if (auto enumerator = enumerator_operand(*form.rhs, left)) return expressions_.store(*form.rhs, *enumerator);
  if (failed()) return {};
  return expressions_.check(*form.rhs);
}

std::optional<ExprInfo> ComparisonTyper::enumerator_operand(const Expr& operand, const ExprInfo& left) {
  const auto* name = std::get_if<Name>(&operand.form);
  if (name == nullptr || name->scope != VariableScope::Global) return std::nullopt;
  if (types_.resolved(left.type).kind != TypeKind::Enum) return std::nullopt;
  TypeId type = type_finder_.complete(left.type);
  for (const TypeEnumerator& enumerator : types_.get(type).enumerators) {
    if (enumerator.name != name->name) continue;
    ResolvedName meaning = names_.find(*name);
    const auto* constant_name = std::get_if<EnumConstant>(&meaning);
    const auto* inline_id = std::get_if<InlineId>(&meaning);
    bool is_itself = constant_name != nullptr && is_same_type(types_, constant_name->type, type);
    // Libraries define some kernel enumerators for all programs: a name with the same value is not ambiguous.
    if (inline_id != nullptr)
      is_itself = semantics_.inlines[inline_id->index].constant == static_cast<uint64_t>(enumerator.value);
    if (!is_itself && !std::holds_alternative<std::monostate>(meaning)) {
      fail(Tag::D_IDENT_AMBIG, operand.at, "ambiguous name: {} is an enumerator of {} and a global name", name->name,
           types_.spell(type));
      return std::nullopt;
    }
    return constant(type, static_cast<uint64_t>(enumerator.value));
  }
  return std::nullopt;
}

ExprInfo ComparisonTyper::check_comparison(const Expr& expr, const Binary& form, const ExprInfo& left,
                                           const ExprInfo& right) {
  TypeId type = types_.int_type();
  if (types_.is_integer(left.type) && types_.is_integer(right.type)) {
    if (!left.constant || !right.constant) return value(type);
    TypeId common = arithmetic_type(types_, operand_type(types_, left.type, left.bit_size),
                                    operand_type(types_, right.type, right.bit_size));
    return constant(type, fold(types_, form.op, common, *left.constant, *right.constant));
  }
  TypeId string = types_.string_type();
  if (types_.is_string(left.type) || types_.is_string(right.type)) {
    if (is_compatible_value(string, left) && is_compatible_value(string, right)) return value(type);
    return type_errors_.report_incompatible(expr, to_text(form.op), left, right);
  }
  bool is_null_test = (is_zero(left) && is_pointer_or_array(types_, right.type)) ||
                      (is_zero(right) && is_pointer_or_array(types_, left.type));
  if (is_null_test || are_pointer_compatible(types_, left.type, right.type)) return value(type);
  // Two strings in memory are compared by address, whatever the sign of their characters.
  if (types_.is_string_compatible(left.type) && types_.is_string_compatible(right.type)) return value(type);
  return type_errors_.report_incompatible(expr, to_text(form.op), left, right);
}

ExprInfo ComparisonTyper::check_logical(const Expr& expr, const Binary& form, const ExprInfo& left,
                                        const ExprInfo& right) {
  if (!types_.is_scalar(left.type) || !types_.is_scalar(right.type))
    return type_errors_.report_operand(Tag::D_OP_SCALAR, expr, to_text(form.op), "of scalar type", left, &right);
  TypeId type = types_.int_type();
  if (left.constant && right.constant)
    return constant(type, fold(types_, form.op, types_.integer(8, false), *left.constant, *right.constant));
  // The left side may decide the result; the right side is then not evaluated.
  if (left.constant && form.op == BinaryOp::LogicalAnd && *left.constant == 0) return constant(type, 0);
  if (left.constant && form.op == BinaryOp::LogicalOr && *left.constant != 0) return constant(type, 1);
  return value(type);
}

}  // namespace dscope
