#include "frontend/check/expressions/arithmetic_typer.h"

#include "frontend/check/declarations/type_finder.h"
#include "frontend/check/expressions/address_spaces.h"
#include "frontend/check/expressions/type_errors.h"

namespace dscope {

bool ArithmeticTyper::divides_by_zero(const Expr& expr, BinaryOp op, const ExprInfo& right) {
  bool is_division = op == BinaryOp::Divide || op == BinaryOp::Modulo;
  if (!is_division || !right.constant || *right.constant != 0) return false;
  // DTrace reports this while it parses, so that the message names no part of the clause.
  DiagnosticPhase before = diagnostics_.phase();
  diagnostics_.set_phase(DiagnosticPhase::Parse);
  fail(Tag::D_DIV_ZERO, expr.at, "expression contains division by zero");
  diagnostics_.set_phase(before);
  return true;
}

ExprInfo ArithmeticTyper::integer_result(BinaryOp op, const ExprInfo& left, const ExprInfo& right) {
  TypeId type = arithmetic_type(types_, operand_type(types_, left.type, left.bit_size),
                                operand_type(types_, right.type, right.bit_size));
  if (!left.constant || !right.constant) return value(type);
  return constant(type, fold(types_, op, type, *left.constant, *right.constant));
}

ExprInfo ArithmeticTyper::check_arithmetic(const Expr& expr, const Binary& form, const ExprInfo& left,
                                           const ExprInfo& right) {
  if (!types_.is_integer(left.type) || !types_.is_integer(right.type)) {
    bool is_arithmetic = form.op == BinaryOp::Multiply || form.op == BinaryOp::Divide;
    return type_errors_.report_operand(is_arithmetic ? Tag::D_OP_ARITH : Tag::D_OP_INT, expr, to_text(form.op),
                                       is_arithmetic ? "of arithmetic type" : "of integer type", left, &right);
  }
  if (divides_by_zero(expr, form.op, right)) return {};
  return integer_result(form.op, left, right);
}

ExprInfo ArithmeticTyper::check_shift(const Expr& expr, const Binary& form, const ExprInfo& left,
                                      const ExprInfo& right) {
  if (!types_.is_integer(left.type) || !types_.is_integer(right.type))
    return type_errors_.report_operand(Tag::D_OP_INT, expr, to_text(form.op), "of integer type", left, &right);
  TypeId type = operand_type(types_, left.type, left.bit_size);
  if (!left.constant || !right.constant) return value(type);
  return constant(type, fold(types_, form.op, type, *left.constant, *right.constant));
}

// ---------------------------------------------------------------- + and - with pointers
ExprInfo ArithmeticTyper::check_additive(const Expr& expr, const Binary& form, const ExprInfo& left,
                                         const ExprInfo& right) {
  bool left_is_integer = types_.is_integer(left.type), right_is_integer = types_.is_integer(right.type);
  if (left_is_integer && right_is_integer) return integer_result(form.op, left, right);
  auto has_elements = [&](const ExprInfo& side) {
    return is_pointer_or_array(types_, side.type) || types_.is_string(side.type);
  };
  bool is_sum = form.op == BinaryOp::Add;
  if (has_elements(left) && right_is_integer && (is_sum || !types_.is_string(left.type)))
    return check_offset(expr, form, left, right);
  if (is_sum && left_is_integer && has_elements(right)) return check_offset(expr, form, right, left);
  if (!is_sum && is_pointer_or_array(types_, left.type) && is_pointer_or_array(types_, right.type))
    return check_difference(expr, form, left, right);
  return type_errors_.report_incompatible(expr, to_text(form.op), left, right);
}

ExprInfo ArithmeticTyper::check_offset(const Expr& expr, const Binary& form, const ExprInfo& base,
                                       const ExprInfo& offset) {
  if (types_.is_string(base.type)) {
    ExprInfo rest = value(types_.string_type());
    rest.is_writable = base.is_lvalue && base.is_writable;  // *(s + 1) = 'x'
    return rest;
  }
  TypeId target = target_of(types_, base.type);
  if (is_void(types_, target) || is_function(types_, target))
    return type_errors_.report_incompatible(expr, to_text(form.op), base, offset);
  if (type_finder_.size_of(target) == 0)
    return fail(Tag::D_OP_INCOMPLETE, expr.at, "size of {} is not known", types_.spell(target));
  if (form.op == BinaryOp::Add && !check_constant_index(expr, base, offset)) return {};
  bool is_userland = types_.is_pointer(base.type) ? types_.resolved(base.type).is_userland : base.space == Space::User;
  TypeId type = types_.is_pointer(base.type) ? base.type : types_.pointer_to(target, is_userland);
  return {.type = type, .space = untrusted(base.space)};
}

ExprInfo ArithmeticTyper::check_difference(const Expr& expr, const Binary& form, const ExprInfo& left,
                                           const ExprInfo& right) {
  TypeId a = target_of(types_, left.type), b = target_of(types_, right.type);
  auto is_known = [](Space space) { return space != Space::None && space != Space::Loaded; };
  bool is_mixture = is_known(left.space) && is_known(right.space) &&
                    (left.space == Space::Scratch) != (right.space == Space::Scratch);
  if (is_mixture || !is_same_type(types_, a, b) || is_void(types_, a) || is_function(types_, a))
    return type_errors_.report_incompatible(expr, to_text(form.op), left, right);
  if (type_finder_.size_of(a) == 0)
    return fail(Tag::D_OP_INCOMPLETE, expr.at, "size of {} is not known", types_.spell(a));
  return value(*types_.find("ptrdiff_t"));
}

// Arrays of 0 and 1 elements are flexible ends of kernel objects, so any index may be valid.
bool ArithmeticTyper::check_constant_index(const Expr& expr, const ExprInfo& array, const ExprInfo& index) {
  const Type& type = types_.resolved(array.type);
  if (type.kind != TypeKind::Array || type.count <= 1 || !index.constant) return true;
  bool is_negative = types_.is_signed_integer(index.type) && static_cast<int64_t>(*index.constant) < 0;
  if (!is_negative && *index.constant < type.count) return true;
  if (is_negative)
    fail(Tag::D_ARR_BOUNDS, expr.at, "index out of bounds: {} for {}", static_cast<int64_t>(*index.constant),
         types_.spell(array.type));
  else fail(Tag::D_ARR_BOUNDS, expr.at, "index out of bounds: {} for {}", *index.constant, types_.spell(array.type));
  return false;
}

}  // namespace dscope
