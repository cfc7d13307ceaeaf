#include "frontend/check/expressions/operator_typer.h"

#include <utility>

#include "contract/threads.h"
#include "frontend/check/actions/aggregation_typer.h"
#include "frontend/check/declarations/type_finder.h"
#include "frontend/check/expressions/address_spaces.h"
#include "frontend/check/expressions/arithmetic_typer.h"
#include "frontend/check/expressions/assignment_typer.h"
#include "frontend/check/expressions/comparison_typer.h"
#include "frontend/check/expressions/expression_typer.h"
#include "frontend/check/expressions/name_typer.h"
#include "frontend/check/expressions/stability_rules.h"
#include "frontend/check/expressions/translated_objects.h"
#include "frontend/check/expressions/type_errors.h"
#include "frontend/check/name_table.h"
#include "support/check.h"

namespace dscope {

ExprInfo OperatorTyper::check(const Expr& expr, const Unary& form) {
  switch (form.op) {
    case UnaryOp::PreIncrement:
    case UnaryOp::PreDecrement:
    case UnaryOp::PostIncrement:
    case UnaryOp::PostDecrement: return check_step(expr, form);
    case UnaryOp::AddressOf:
      expressions_.set_addressed(*form.operand);
      // `&array` must name the variable, not complain that it lacks an index.
      if (const auto* name = std::get_if<Name>(&form.operand->form)) {
        ResolvedName meaning = names_.find(*name);
        if (std::holds_alternative<VariableId>(meaning) || std::holds_alternative<ArgsArray>(meaning))
          return fail(Tag::D_ADDROF_VAR, expr.at, "cannot take the address of a D variable: {}", spell_name(*name));
      }
      break;
    case UnaryOp::Plus:
    case UnaryOp::Minus:
    case UnaryOp::BitNot:
    case UnaryOp::Not:
    case UnaryOp::Deref: break;
  }
  ExprInfo operand = expressions_.check(*form.operand);
  if (failed() || is_error(operand)) return {};
  switch (form.op) {
    case UnaryOp::Not: return check_not(expr, translated_objects_.as_untranslated(*form.operand, operand));
    case UnaryOp::Deref: return check_deref(expr, form, operand);
    case UnaryOp::AddressOf: return check_address_of(expr, form, operand);
    default: return check_sign(expr, form.op, operand);
  }
}

ExprInfo OperatorTyper::check_sign(const Expr& expr, UnaryOp op, const ExprInfo& operand) {
  if (!types_.is_integer(operand.type)) {
    bool is_not = op == UnaryOp::BitNot;
    return type_errors_.report_operand(is_not ? Tag::D_OP_INT : Tag::D_OP_ARITH, expr, to_text(op),
                                       is_not ? "of integer type" : "of arithmetic type", operand);
  }
  TypeId type = operand_type(types_, operand.type, operand.bit_size);
  if (!operand.constant) return value(type);
  uint64_t number = *operand.constant;
  if (op == UnaryOp::Minus) number = uint64_t{0} - number;
  if (op == UnaryOp::BitNot) number = ~number;
  return constant(type, number);
}

ExprInfo OperatorTyper::check_not(const Expr& expr, const ExprInfo& operand) {
  if (!types_.is_scalar(operand.type))
    return type_errors_.report_operand(Tag::D_OP_SCALAR, expr, "!", "of scalar type", operand);
  if (operand.constant) return constant(types_.int_type(), *operand.constant == 0);
  return value(types_.int_type());
}

ExprInfo OperatorTyper::check_deref(const Expr& expr, const Unary& form, const ExprInfo& operand) {
  if (operand.translated != nullptr && operand.translated->is_pointer) {
    TranslatedObject object = *operand.translated;
    object.is_pointer = false;
    return translated_objects_.add(std::move(object));
  }
  if (is_function(types_, operand.type))
    return fail(Tag::D_DEREF_FUNC, expr.at, "cannot dereference a function: {}", types_.spell(operand.type));
  if (types_.is_string(operand.type)) {
    return {
        .type = types_.plain_char(), .space = Space::Storage, .is_lvalue = true, .is_writable = operand.is_writable};
  }
  if (!is_pointer_or_array(types_, operand.type))
    return fail(Tag::D_DEREF_NONPTR, expr.at, "cannot dereference a value that is not a pointer: {}",
                types_.spell(operand.type));
  TypeId type = target_of(types_, operand.type);
  if (is_void(types_, type)) return fail(Tag::D_DEREF_VOID, expr.at, "cannot dereference a pointer to void");
  if (is_function(types_, type))
    return fail(Tag::D_DEREF_FUNC, expr.at, "cannot dereference a pointer to a function: {}",
                types_.spell(operand.type));
  bool is_array = types_.resolved(operand.type).kind == TypeKind::Array;
  Space space = is_array ? spaces_.object_space(*form.operand, operand) : operand.space;
  bool is_writable = is_array ? operand.is_writable : is_own_memory(space);
  return {.type = type,
          .space = spaces_.loaded_space(is_array ? *form.operand : expr, type, space, false),
          .is_lvalue = true,
          .is_writable = is_writable};
}

ExprInfo OperatorTyper::check_address_of(const Expr& expr, const Unary& form, const ExprInfo& operand) {
  const Expr& object = *form.operand;
  bool is_dynamic = types_.resolved(operand.type).kind == TypeKind::Dynamic;
  bool is_traced = std::holds_alternative<TracedName>(operand.binding);
  bool is_named = std::holds_alternative<Name>(object.form) && !operand.constant && !is_traced;
  auto root = spaces_.root_variable(object);
  if (is_dynamic || is_named || (root && semantics_.variables[root->index].is_associative))
    return fail(Tag::D_ADDROF_VAR, expr.at, "cannot take the address of a D variable or aggregation");
  bool is_thread_local = root && semantics_.variables[root->index].scope == VariableScope::Self;
  if (is_thread_local && follows_goroutines(context_.options))
    return fail(Tag::D_ADDROF_VAR, expr.at, "cannot take the address of a self-> variable with threads=goroutines");
  if (operand.bit_size != 0) return fail(Tag::D_ADDROF_BITFIELD, expr.at, "cannot take the address of a bit-field");
  if (const auto* symbol = std::get_if<SymbolRef>(&object.form); symbol != nullptr && !operand.is_lvalue)
    return name_typer_.report_no_address(expr, *symbol);
  if (!operand.is_lvalue) return fail(Tag::D_ADDROF_LVAL, expr.at, "operand of & must be an lvalue");
  Space space = untrusted(spaces_.object_space(object, operand));
  return {.type = types_.pointer_to(operand.type, space == Space::User), .space = space};
}

// ---------------------------------------------------------------- ++ and --
ExprInfo OperatorTyper::check_step(const Expr& expr, const Unary& form) {
  std::string_view op = to_text(form.op);
  if (aggregation_target(*form.operand) != nullptr)
    return fail(Tag::D_UNKNOWN, expr.at, "operator {} may not be applied to an aggregation", op);
  bool is_new = assignments_.needs_creation(*form.operand);
  ExprInfo operand =
      is_new ? assignments_.create_target(*form.operand, *types_.find("int64_t")) : expressions_.check(*form.operand);
  if (failed() || is_error(operand)) return {};
  if (!types_.is_scalar(operand.type))
    return type_errors_.report_operand(Tag::D_OP_SCALAR, expr, op, "of scalar type", operand);
  if (types_.is_pointer(operand.type)) {
    TypeId target = target_of(types_, operand.type);
    if (is_void(types_, target) || is_function(types_, target))
      return type_errors_.report_operand(Tag::D_OP_VFPTR, expr, op, "a pointer to an object", operand);
    if (type_finder_.size_of(target) == 0)
      return fail(Tag::D_OP_INCOMPLETE, expr.at, "size of {} is not known", types_.spell(target));
  }
  if (!assignments_.check_writable(expr, op, *form.operand, operand)) return {};
  return {.type = operand.type, .space = untrusted(operand.space)};
}

// ---------------------------------------------------------------- ?:
ExprInfo OperatorTyper::check(const Expr& expr, const Ternary& form) {
  ExprInfo condition = expressions_.check_condition(*form.condition);
  if (failed()) return {};
  if (condition.constant && types_.is_scalar(condition.type)) {
    bool is_first = *condition.constant != 0;
    return check_constant_choice(expr, is_first ? *form.then_value : *form.else_value,
                                 is_first ? *form.else_value : *form.then_value);
  }
  ExprInfo first = expressions_.check(*form.then_value);
  if (failed()) return {};
  ExprInfo second = expressions_.check(*form.else_value);
  if (failed() || is_error(condition) || is_error(first) || is_error(second)) return {};
  if (!types_.is_scalar(condition.type))
    return fail(Tag::D_OP_SCALAR, caret_at(expr, *form.condition), "condition of ?: must be of scalar type, not {}",
                types_.spell(condition.type));
  if (!check_branch_kind(expr, first) || !check_branch_kind(expr, second)) return {};
  return check_branches(expr, first, second);
}

bool OperatorTyper::check_branch_kind(const Expr& expr, const ExprInfo& branch) {
  if (std::holds_alternative<Action>(branch.binding))
    fail(Tag::D_OP_ACT, expr.at, "an action may not be an operand of ?:");
  else if (types_.resolved(branch.type).kind == TypeKind::Dynamic)
    fail(Tag::D_OP_DYN, expr.at, "operand of ?: may not be of dynamic type");
  return !failed();
}

// With a constant condition the other branch is never evaluated, but it must be valid and takes part in the type of the
// result, as in C.
ExprInfo OperatorTyper::check_constant_choice(const Expr& expr, const Expr& taken, const Expr& other) {
  ExprInfo branch = expressions_.check(taken);
  if (failed() || is_error(branch)) return {};
  // The program does not rely on names that are never evaluated.
  auto minimum = stability_.exchange_minimum(std::nullopt);
  ExprInfo unused = expressions_.check(other);
  stability_.exchange_minimum(minimum);
  if (failed() || is_error(unused)) return {};
  if (branch.translated != nullptr) return branch;
  if (!check_branch_kind(expr, branch) || !check_branch_kind(expr, unused)) return {};
  ExprInfo joint = check_branches(expr, branch, unused);
  if (failed()) return {};
  ExprInfo result{.type = joint.type, .space = branch.space, .constant = branch.constant};
  if (types_.is_string(joint.type)) result.space = Space::Storage;
  if (branch.constant && types_.is_integer(joint.type)) return constant(joint.type, *branch.constant);
  return result;
}

ExprInfo OperatorTyper::check_branches(const Expr& expr, const ExprInfo& first, const ExprInfo& second) {
  if (types_.is_integer(first.type) && types_.is_integer(second.type)) {
    bool has_bit_field = first.bit_size != 0 || second.bit_size != 0;
    bool is_same = !has_bit_field && is_same_type(types_, first.type, second.type);
    return value(is_same ? first.type
                         : arithmetic_type(types_, operand_type(types_, first.type, first.bit_size),
                                           operand_type(types_, second.type, second.bit_size)));
  }
  bool first_is_string = types_.is_string(first.type), second_is_string = types_.is_string(second.type);
  bool is_text = first_is_string || second_is_string;
  if (is_text && is_compatible_value(types_.string_type(), first) && is_compatible_value(types_.string_type(), second))
    return value(types_.string_type());
  Space space = join_spaces(first.space, second.space);
  if (is_zero(second) && is_pointer_or_array(types_, first.type))
    return {.type = decay(types_, first.type), .space = space};
  if (is_zero(first) && is_pointer_or_array(types_, second.type))
    return {.type = decay(types_, second.type), .space = space};
  if (are_pointer_compatible(types_, first.type, second.type)) {
    // The type that is not void * is that of the result.
    TypeId left = decay(types_, first.type), right = decay(types_, second.type);
    bool is_left_void = types_.is_pointer(left) && is_void(types_, target_of(types_, left));
    return {.type = is_left_void ? right : left, .space = space};
  }
  if (is_same_type(types_, first.type, second.type)) return {.type = first.type, .space = space};
  return fail(Tag::D_OP_INCOMPAT, expr.at, "operator ?: cannot choose between {} and {}", types_.spell(first.type),
              types_.spell(second.type));
}

// ---------------------------------------------------------------- two operands
ExprInfo OperatorTyper::check(const Expr& expr, const Binary& form) {
  ExprInfo left = expressions_.check(*form.lhs);
  if (failed()) return {};
  ExprInfo right = comparisons_.check_right_operand(form, left);
  if (failed() || is_error(left) || is_error(right)) return {};
  switch (form.op) {
    case BinaryOp::Multiply:
    case BinaryOp::Divide:
    case BinaryOp::Modulo:
    case BinaryOp::BitAnd:
    case BinaryOp::BitXor:
    case BinaryOp::BitOr: return arithmetic_.check_arithmetic(expr, form, left, right);
    case BinaryOp::Add:
    case BinaryOp::Subtract: return arithmetic_.check_additive(expr, form, left, right);
    case BinaryOp::ShiftLeft:
    case BinaryOp::ShiftRight: return arithmetic_.check_shift(expr, form, left, right);
    case BinaryOp::Less:
    case BinaryOp::LessEqual:
    case BinaryOp::Greater:
    case BinaryOp::GreaterEqual:
    case BinaryOp::Equal:
    case BinaryOp::NotEqual:
      return comparisons_.check_comparison(expr, form, translated_objects_.as_untranslated(*form.lhs, left),
                                           translated_objects_.as_untranslated(*form.rhs, right));
    case BinaryOp::LogicalAnd:
    case BinaryOp::LogicalXor:
    case BinaryOp::LogicalOr:
      return comparisons_.check_logical(expr, form, translated_objects_.as_untranslated(*form.lhs, left),
                                        translated_objects_.as_untranslated(*form.rhs, right));
  }
  DS_UNREACHABLE();
}

}  // namespace dscope
