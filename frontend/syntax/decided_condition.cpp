#include "frontend/syntax/decided_condition.h"

namespace dscope {

namespace {

// Compares an option with a constant.
std::optional<bool> are_equal(const Expr& left, const Expr& right) {
  const auto *left_text = std::get_if<StringLiteral>(&left.form), *right_text = std::get_if<StringLiteral>(&right.form);
  if (left_text != nullptr && right_text != nullptr && (left_text->is_option || right_text->is_option))
    return left_text->bytes == right_text->bytes;
  const auto *left_number = std::get_if<IntLiteral>(&left.form), *right_number = std::get_if<IntLiteral>(&right.form);
  if (left_number != nullptr && right_number != nullptr && (left_number->is_option || right_number->is_option))
    return left_number->value == right_number->value;
  return std::nullopt;
}

std::optional<bool> value_of(const IntLiteral& form) {
  return form.is_option ? std::optional(form.value != 0) : std::nullopt;
}

std::optional<bool> value_of(const Unary& form) {
  std::optional<bool> operand = form.op == UnaryOp::Not ? decided_condition(*form.operand) : std::nullopt;
  return operand ? std::optional(!*operand) : std::nullopt;
}

std::optional<bool> value_of(const Binary& form) {
  if (form.op == BinaryOp::Equal) return are_equal(*form.lhs, *form.rhs);
  if (form.op == BinaryOp::NotEqual) {
    std::optional<bool> equal = are_equal(*form.lhs, *form.rhs);
    return equal ? std::optional(!*equal) : std::nullopt;
  }
  if (form.op != BinaryOp::LogicalAnd && form.op != BinaryOp::LogicalOr) return std::nullopt;
  std::optional<bool> first = decided_condition(*form.lhs);
  if (first && *first == (form.op == BinaryOp::LogicalOr)) return first;
  return first ? decided_condition(*form.rhs) : std::nullopt;
}

template <typename Form>
std::optional<bool> value_of(const Form&) {
  return std::nullopt;
}

}  // namespace

std::optional<bool> decided_condition(const Expr& condition) {
  return std::visit([](const auto& form) { return value_of(form); }, condition.form);
}

}  // namespace dscope
