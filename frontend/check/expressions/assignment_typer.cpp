#include "frontend/check/expressions/assignment_typer.h"

#include "frontend/check/actions/aggregation_typer.h"
#include "frontend/check/declarations/type_finder.h"
#include "frontend/check/expressions/address_spaces.h"
#include "frontend/check/expressions/arithmetic_typer.h"
#include "frontend/check/expressions/element_typer.h"
#include "frontend/check/expressions/expression_typer.h"
#include "frontend/check/expressions/translated_objects.h"
#include "frontend/check/expressions/type_errors.h"
#include "frontend/check/name_table.h"
#include "frontend/check/pending_mistakes.h"
#include "support/check.h"

namespace dscope {

ExprInfo AssignmentTyper::check(const Expr& expr, const Assign& form) {
  if (std::holds_alternative<Assign>(form.lhs->form))
    return fail(Tag::D_OP_LVAL, expr.at, "operator {}= requires an lvalue", form.op ? to_text(*form.op) : "");
  if (const AggregationRef* reference = aggregation_target(*form.lhs)) {
    if (form.op)
      return fail(Tag::D_VAR_UNDEF, expr.at, "operator {}= may not be applied to aggregation @{}", to_text(*form.op),
                  reference->name);
    return fail(Tag::D_OP_DYN, expr.at, "@{} may only be assigned in a separate statement", reference->name);
  }
  return form.op ? check_compound_assignment(expr, form) : check_plain_assignment(expr, form);
}

// ---------------------------------------------------------------- creation

namespace {

// x in `x = e` and `x[k] = e`.
const Name* target_name(const Expr& target) {
  if (const auto* name = std::get_if<Name>(&target.form)) return name;
  const auto* index = std::get_if<Index>(&target.form);
  return index != nullptr ? std::get_if<Name>(&index->base->form) : nullptr;
}

}  // namespace

bool AssignmentTyper::needs_creation(const Expr& target) const {
  const Name* name = target_name(target);
  return name != nullptr && !name->name.empty() && std::holds_alternative<std::monostate>(names_.find(*name));
}

// Solaris scripts count nanoseconds in variables initialized with 0: these variables get 64 bits instead of int's 32.
TypeId AssignmentTyper::new_type(const ExprInfo& source) const {
  bool is_plain_zero = is_zero(source) && source.type == types_.int_type();
  return is_plain_zero && dialect().widens_plain_zero() ? types_.integer(8, true) : source.type;
}

ExprInfo AssignmentTyper::create_target(const Expr& target, TypeId type) {
  const Name& name = *target_name(target);
  if (const auto* index = std::get_if<Index>(&target.form))
    return expressions_.store(target, create_element(target, *index, name, type));
  if (!names_.create_variable(target, name, type)) return {};
  return expressions_.check(target);
}

ExprInfo AssignmentTyper::create_element(const Expr& target, const Index& form, const Name& name, TypeId type) {
  if (name.scope == VariableScope::This)
    return fail(Tag::D_ARR_LOCAL, target.at, "clause-local variable may not be an associative array: {}",
                spell_name(name));
  auto keys = elements_.new_keys(form, "associative array");
  if (!keys) return {};
  auto id = names_.add_variable(
      {.name = name.name, .scope = name.scope, .type = type, .is_associative = true, .keys = std::move(*keys)});
  return elements_.check_associative(target, form, id);
}

// ---------------------------------------------------------------- stored values
bool AssignmentTyper::can_be_stored(const Expr& expr, const ExprInfo& source) {
  const Type& type = types_.resolved(source.type);
  switch (type.kind) {
    case TypeKind::Array:
    case TypeKind::Function:
      fail(Tag::D_OP_ARRFUN, expr.at, "operator = may not be applied to an operand of type {}",
           types_.spell(source.type));
      return false;
    case TypeKind::Forward:
      fail(Tag::D_OP_INCOMPLETE, expr.at, "operator = may not be applied to an operand of incomplete type {}",
           types_.spell(source.type));
      return false;
    case TypeKind::Stack:
    case TypeKind::SymAddr:
    case TypeKind::UsymAddr:
      // The call that returns such a value was already found to be misplaced.
      if (pending_.has_deferred()) pending_.report_last_deferred();
      diagnostics_.hint("print stacks and symbols, or use them as keys of aggregations: `@[stack()] = count();`");
      return false;
    case TypeKind::Void:
    case TypeKind::Dynamic:
      fail(Tag::D_OP_INCOMPAT, expr.at, "a value of type {} may not be assigned to a variable",
           types_.spell(source.type));
      if (std::holds_alternative<AggregationFunction>(source.binding))
        diagnostics_.hint("assign its result to an aggregation: `@name[key] = count();`");
      if (type.kind == TypeKind::Dynamic)
        diagnostics_.hint(
            "programs cannot read aggregations; store the value in a variable: `start[tid] = timestamp;`");
      return false;
    case TypeKind::Error:
    case TypeKind::Integer:
    case TypeKind::Float:
    case TypeKind::Pointer:
    case TypeKind::Struct:
    case TypeKind::Union:
    case TypeKind::Enum:
    case TypeKind::Typedef:
    case TypeKind::String: return true;
  }
  DS_UNREACHABLE();
}

// Thread-local variables and array elements exist only while they have a value: assigning 0 removes them, whatever
// their type.
bool AssignmentTyper::is_dynamic_storage(const Expr& target) const {
  const ExprInfo found = info(target);
  if (found.stands_for != nullptr) return is_dynamic_storage(*found.stands_for);
  const auto* id = std::get_if<VariableId>(&found.binding);
  if (id == nullptr) return false;
  const Variable& variable = semantics_.variables[id->index];
  return variable.is_associative || variable.scope == VariableScope::Self;
}

bool AssignmentTyper::check_writable(const Expr& expr, std::string_view op, const Expr& target,
                                     const ExprInfo& target_info) {
  const Binding& binding = target_info.binding;
  bool is_builtin = std::holds_alternative<BuiltinVariable>(binding) || std::holds_alternative<RawArgument>(binding) ||
                    std::holds_alternative<TypedArgument>(binding) || std::holds_alternative<UserRegister>(binding) ||
                    std::holds_alternative<TracedName>(binding);
  bool seems_compared = op == "=" && (is_builtin || diagnostics_.phase() == DiagnosticPhase::Predicate);
  std::string hint = seems_compared ? "`=` assigns; `==` compares" : "";
  if (!target_info.is_lvalue && !is_builtin) {
    fail(Tag::D_OP_LVAL, expr.at, "operator {} requires an lvalue", op);
    diagnostics_.hint(std::move(hint));
    return false;
  }
  if (target_info.is_writable) return true;
  if (const auto* name = std::get_if<Name>(&target.form))
    fail(Tag::D_OP_WRITE, expr.at, "operator {} may not be applied to read-only variable {}", op, spell_name(*name));
  else fail(Tag::D_OP_WRITE, expr.at, "operator {} can only store into D variables and scratch memory", op);
  diagnostics_.hint(std::move(hint));
  return false;
}

ExprInfo AssignmentTyper::check_plain_assignment(const Expr& expr, const Assign& form) {
  bool is_new = needs_creation(*form.lhs);
  ExprInfo target = is_new ? ExprInfo{} : expressions_.check(*form.lhs);
  if (failed()) return {};
  ExprInfo source = expressions_.check(*form.rhs);
  if (!failed() && source.translated != nullptr && !source.translated->is_pointer)
    source = translated_objects_.evaluate_whole(*form.rhs, *source.translated);
  if (failed()) return {};
  if (is_new) {
    if (!can_be_stored(expr, source)) return {};
    // The right side may have created the variable itself: `x = x++`.
    target = needs_creation(*form.lhs) ? create_target(*form.lhs, new_type(source)) : expressions_.check(*form.lhs);
    if (failed()) return {};
  }
  if (is_error(source)) return {};
  if (is_error(target)) {
    // A clause without probes created the variable from an untyped value: this first typed use fixes the type.
    const auto* id = std::get_if<VariableId>(&target.binding);
    if (id == nullptr || !can_be_stored(expr, source)) return {};
    semantics_.variables[id->index].type = source.type;
    target = expressions_.check(*form.lhs);
  }
  bool is_removal = is_zero(source) && is_dynamic_storage(*form.lhs);
  TypeKind kind = types_.resolved(target.type).kind;
  if ((kind == TypeKind::Array && !is_removal) || kind == TypeKind::Function) {
    can_be_stored(expr, target);
    return {};
  }
  if (!check_writable(expr, "=", *form.lhs, target)) return {};
  if (!is_removal && !is_compatible_value(target.type, source))
    return type_errors_.report_incompatible(expr, "=", target, source);
  // An array decays to the address of its first element.
  if (types_.is_pointer(target.type) && types_.resolved(source.type).kind == TypeKind::Array)
    source.space = spaces_.object_space(*form.rhs, source);
  if (!is_removal && !spaces_.record_pointee(*form.lhs, target, *form.rhs, source)) return {};
  Space space = types_.is_pointer(target.type) ? untrusted(source.space) : Space::Storage;
  return {.type = target.type, .space = space};
}

// ---------------------------------------------------------------- op=
ExprInfo AssignmentTyper::check_compound_assignment(const Expr& expr, const Assign& form) {
  std::string op = fmt::format("{}=", to_text(*form.op));
  const auto* element = std::get_if<Index>(&form.lhs->form);
  if (needs_creation(*form.lhs) && (element == nullptr || !elements_.is_assigned_later(*element))) {
    const Name& name = *target_name(*form.lhs);
    return fail(Tag::D_VAR_UNDEF, form.lhs->at, "undefined variable name: {} (operator {} needs one that has a value)",
                spell_name(name), op);
  }
  ExprInfo target = expressions_.check(*form.lhs);
  if (failed()) return {};
  ExprInfo source = expressions_.check(*form.rhs);
  if (failed() || is_error(target) || is_error(source)) return {};
  if (!check_compound_operands(expr, *form.op, target, source)) return {};
  if (arithmetic_.divides_by_zero(expr, *form.op, source)) return {};
  if (!check_writable(expr, op, *form.lhs, target)) return {};
  return {.type = target.type, .space = types_.is_pointer(target.type) ? untrusted(target.space) : Space::Storage};
}

bool AssignmentTyper::check_compound_operands(const Expr& expr, BinaryOp op, const ExprInfo& left,
                                              const ExprInfo& right) {
  std::string text = fmt::format("{}=", to_text(op));
  bool are_integers = types_.is_integer(left.type) && types_.is_integer(right.type);
  if (are_integers) return true;
  if (op == BinaryOp::Add || op == BinaryOp::Subtract) {
    if (types_.is_pointer(left.type)) {
      TypeId target = target_of(types_, left.type);
      bool has_size = !is_void(types_, target) && !is_function(types_, target) && type_finder_.size_of(target) != 0;
      if (has_size && types_.is_integer(right.type)) return true;
      type_errors_.report_operand(Tag::D_OP_VFPTR, expr, text, "a pointer to an object and an integer", left, &right);
      return false;
    }
    bool is_number_and_address = types_.is_integer(left.type) && is_pointer_or_array(types_, right.type);
    bool is_plain = types_.is_integer(left.type) || types_.is_string(left.type);
    if (is_plain && !is_number_and_address) type_errors_.report_incompatible(expr, text, left, right);
    else type_errors_.report_operand(Tag::D_OP_VFPTR, expr, text, "of integer type", left, &right);
    return false;
  }
  bool is_arithmetic = op == BinaryOp::Multiply || op == BinaryOp::Divide;
  type_errors_.report_operand(is_arithmetic ? Tag::D_OP_ARITH : Tag::D_OP_INT, expr, text,
                              is_arithmetic ? "of arithmetic type" : "of integer type", left, &right);
  return false;
}

}  // namespace dscope
