// Operators of two operands: arithmetic, pointers, shifts, comparisons (d-language.md 3.6, 4.5, 4.6).
#include "frontend/check/checker.h"

namespace dscope {

bool Checker::divides_by_zero(const Expr& expr, BinaryOp op, const ExprInfo& right) {
  bool is_division = op == BinaryOp::Divide || op == BinaryOp::Modulo;
  if (!is_division || !right.constant || *right.constant != 0) return false;
  // Found while parsing, as far as the user is concerned: the message names no part of the clause.
  DiagnosticPhase before = diagnostics_.phase();
  diagnostics_.set_phase(DiagnosticPhase::Parse);
  fail(Tag::D_DIV_ZERO, expr.at, "expression contains division by zero");
  diagnostics_.set_phase(before);
  return true;
}

ExprInfo Checker::integer_result(BinaryOp op, const ExprInfo& left, const ExprInfo& right) {
  TypeId type = arithmetic_type(types_, left.type, right.type);
  if (!left.constant || !right.constant) return value(type);
  return constant(type, fold(types_, op, type, *left.constant, *right.constant));
}

ExprInfo Checker::check_arithmetic(const Expr& expr, const Binary& form, const ExprInfo& left, const ExprInfo& right) {
  if (!types_.is_integer(left.type) || !types_.is_integer(right.type)) {
    bool is_arithmetic = form.op == BinaryOp::Multiply || form.op == BinaryOp::Divide;
    return operand_error(is_arithmetic ? Tag::D_OP_ARITH : Tag::D_OP_INT, expr, to_text(form.op),
                         is_arithmetic ? "of arithmetic type" : "of integer type", left, &right);
  }
  if (divides_by_zero(expr, form.op, right)) return {};
  return integer_result(form.op, left, right);
}

ExprInfo Checker::check_shift(const Expr& expr, const Binary& form, const ExprInfo& left, const ExprInfo& right) {
  if (!types_.is_integer(left.type) || !types_.is_integer(right.type))
    return operand_error(Tag::D_OP_INT, expr, to_text(form.op), "of integer type", left, &right);
  TypeId type = operand_type(types_, left.type);
  if (!left.constant || !right.constant) return value(type);
  return constant(type, fold(types_, form.op, type, *left.constant, *right.constant));
}

// ---------------------------------------------------------------- + and - with pointers

ExprInfo Checker::check_additive(const Expr& expr, const Binary& form, const ExprInfo& left, const ExprInfo& right) {
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
  return incompatible(expr, to_text(form.op), left, right);
}

ExprInfo Checker::check_offset(const Expr& expr, const Binary& form, const ExprInfo& base, const ExprInfo& offset) {
  if (types_.is_string(base.type)) {
    ExprInfo rest = value(types_.string_type());
    rest.is_writable = base.is_lvalue && base.is_writable;  // *(s + 1) = 'x'
    return rest;
  }
  TypeId target = target_of(types_, base.type);
  if (is_void(types_, target) || is_function(types_, target)) return incompatible(expr, to_text(form.op), base, offset);
  if (size_of(target) == 0) return fail(Tag::D_OP_INCOMPLETE, expr.at, "size of {} is not known", types_.spell(target));
  if (form.op == BinaryOp::Add && !check_constant_index(expr, base, offset)) return {};
  bool is_userland = types_.is_pointer(base.type) ? types_.resolved(base.type).is_userland : base.space == Space::User;
  TypeId type = types_.is_pointer(base.type) ? base.type : types_.pointer_to(target, is_userland);
  return {.type = type, .space = derived(base.space)};
}

ExprInfo Checker::check_difference(const Expr& expr, const Binary& form, const ExprInfo& left, const ExprInfo& right) {
  TypeId a = target_of(types_, left.type), b = target_of(types_, right.type);
  auto is_known = [](Space space) { return space != Space::None && space != Space::Loaded; };
  bool is_mixture = is_known(left.space) && is_known(right.space) &&
                    (left.space == Space::Scratch) != (right.space == Space::Scratch);
  if (is_mixture || !is_same_type(types_, a, b) || is_void(types_, a) || is_function(types_, a))
    return incompatible(expr, to_text(form.op), left, right);
  if (size_of(a) == 0) return fail(Tag::D_OP_INCOMPLETE, expr.at, "size of {} is not known", types_.spell(a));
  return value(*types_.find("ptrdiff_t"));
}

// Arrays of 0 and 1 elements are the flexible ends of kernel objects: any index may be right.
bool Checker::check_constant_index(const Expr& expr, const ExprInfo& array, const ExprInfo& index) {
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

// ---------------------------------------------------------------- comparison

// Kernel enumerators are no global names. They are known where they are compared with a value of their enum: a bare
// name on the right of the operator.
ExprInfo Checker::check_right_operand(const Binary& form, const ExprInfo& left) {
  bool is_comparison = form.op >= BinaryOp::Less && form.op <= BinaryOp::NotEqual;
  if (is_comparison)
    if (auto enumerator = enumerator_operand(*form.rhs, left)) return store(*form.rhs, *enumerator);
  if (failed()) return {};
  return check(*form.rhs);
}

std::optional<ExprInfo> Checker::enumerator_operand(const Expr& operand, const ExprInfo& left) {
  const auto* name = std::get_if<Name>(&operand.form);
  if (name == nullptr || name->scope != VariableScope::Global) return std::nullopt;
  if (types_.resolved(left.type).kind != TypeKind::Enum) return std::nullopt;
  TypeId type = complete(left.type);
  for (const TypeEnumerator& enumerator : types_.get(type).enumerators) {
    if (enumerator.name != name->name) continue;
    Meaning meaning = find_name(*name);
    const auto* constant_name = std::get_if<EnumConstant>(&meaning);
    const auto* inline_id = std::get_if<InlineId>(&meaning);
    bool is_itself = constant_name != nullptr && is_same_type(types_, constant_name->type, type);
    // Libraries give some kernel enumerators to all programs: the same name with the same value is no riddle.
    if (inline_id != nullptr)
      is_itself = meaning_.inlines[inline_id->index].constant == static_cast<uint64_t>(enumerator.value);
    if (!is_itself && !std::holds_alternative<std::monostate>(meaning)) {
      fail(Tag::D_IDENT_AMBIG, operand.at, "ambiguous name: {} is an enumerator of {} and a global name", name->name,
           types_.spell(type));
      return std::nullopt;
    }
    return constant(type, static_cast<uint64_t>(enumerator.value));
  }
  return std::nullopt;
}

ExprInfo Checker::check_comparison(const Expr& expr, const Binary& form, const ExprInfo& left, const ExprInfo& right) {
  TypeId type = types_.int_type();
  if (types_.is_integer(left.type) && types_.is_integer(right.type)) {
    if (!left.constant || !right.constant) return value(type);
    TypeId common = arithmetic_type(types_, left.type, right.type);
    return constant(type, fold(types_, form.op, common, *left.constant, *right.constant));
  }
  TypeId string = types_.string_type();
  if (types_.is_string(left.type) || types_.is_string(right.type)) {
    if (is_compatible_value(string, left) && is_compatible_value(string, right)) return value(type);
    return incompatible(expr, to_text(form.op), left, right);
  }
  bool is_null_test = (is_zero(left) && is_pointer_or_array(types_, right.type)) ||
                      (is_zero(right) && is_pointer_or_array(types_, left.type));
  if (is_null_test || are_pointer_compatible(types_, left.type, right.type)) return value(type);
  // Two texts in memory are compared by address, whatever the sign of their characters.
  if (types_.is_string_compatible(left.type) && types_.is_string_compatible(right.type)) return value(type);
  return incompatible(expr, to_text(form.op), left, right);
}

}  // namespace dscope
