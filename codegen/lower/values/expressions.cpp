#include "codegen/lower/values/expressions.h"

#include "codegen/lower/memory/memory_access.h"
#include "codegen/lower/memory/places.h"
#include "codegen/lower/memory/variables.h"
#include "codegen/lower/probe/arguments.h"
#include "codegen/lower/probe/builtins.h"
#include "codegen/lower/probe/traced_variables.h"
#include "codegen/lower/programs/faults.h"
#include "codegen/lower/subroutines/subroutines.h"
#include "codegen/lower/value_names.h"
#include "codegen/lower/values/assignments.h"
#include "codegen/lower/values/atomic_updates.h"
#include "codegen/lower/values/conditions.h"
#include "codegen/lower/values/operators.h"
#include "codegen/lower/values/strings.h"
#include "frontend/semantics/complexity.h"
#include "frontend/semantics/walk.h"
#include "frontend/syntax/operators.h"
#include "support/check.h"

namespace dscope {

// The value of an argument whose prototype has the type int.
V Expressions::int_argument(const Expr& expr) { return b_.narrow(scalar(expr), 4, true); }

V Expressions::narrow_to(TypeId type, V value) {
  const TypeTable& types = *meaning_.types;
  if (!types.is_integer(type)) return value;
  if (types.resolved(type).is_bool) return b_.flag(b_.is_nonzero(value));
  return b_.narrow(value, static_cast<uint32_t>(types.size_of(type)), types.is_signed_integer(type));
}

V Expressions::scalar(const Expr& expr) {
  const ExprInfo& meaning = info(expr);
  if (meaning.constant) return b_.number(core_.constant(meaning));
  LvalueParts* parts = state_.lvalue_parts;
  if (parts == nullptr) return number_of_form(expr);
  auto known = parts->numbers.find(&expr);
  if (parts->is_complete && known != parts->numbers.end()) return known->second;
  return parts->numbers[&expr] = number_of_form(expr);
}

V Expressions::number_of_form(const Expr& expr) {
  const ExprInfo& meaning = info(expr);
  if (meaning_.types->is_string(meaning.type)) {
    // Only the string's address is needed, as a char pointer or for a comparison with NULL. For a variable, it is the
    // address of the variable and not of a copy.
    const Expr* key = nullptr;
    const Expr& base = variables_.target_of(expr, key);
    const auto* id = std::get_if<VariableId>(&info(base).binding);
    bool is_variable = id != nullptr && std::holds_alternative<Name>(base.form);
    if (!is_variable && meaning.is_lvalue && meaning.is_writable) return address_of(expr);
    StringValue text = is_variable ? variables_.read_string(*id, key) : strings_.string(expr);
    V address = b_.as_untracked_scalar(text.data);
    return text.is_null != nullptr ? b_.ir.CreateSelect(text.is_null, b_.number(0), address) : address;
  }
  if (meaning.stands_for != nullptr) {
    if (value_numbers_.may_be_shared(expr)) return shared_value(expr);
    return with_alias_resolved(expr, [&](const Expr& value) { return scalar_as(value, meaning.type); });
  }
  if (auto known = operands_.find(&expr); known != operands_.end()) return known->second;
  V value = std::visit([&](const auto& form) { return scalar_of(expr, form); }, expr.form);
  name_after(core_, value, expr);
  return value;
}

// The value of an expression, converted to `type`: the type of the alias that stands for it.
V Expressions::scalar_as(const Expr& value, TypeId type) {
  TypeId from = type_of(value);
  bool is_object = !meaning_.types->is_scalar(from) && !meaning_.types->is_string(from);
  if (is_object && !info(value).constant) return b_.to_number(places_.place_of(value).address);
  return narrow_to(type, scalar(value));
}

V Expressions::condition(const Expr& expr) {
  // Emits the condition directly if the value itself is not needed.
  bool is_plain = state_.lvalue_parts == nullptr && !info(expr).constant;
  if (const auto* binary = std::get_if<Binary>(&expr.form);
      binary != nullptr && is_plain && is_boolean_operator(binary->op))
    return conditions_.truth(*binary);
  if (const auto* unary = std::get_if<Unary>(&expr.form);
      unary != nullptr && is_plain && unary->op == UnaryOp::Not && meaning_.types->is_scalar(type_of(*unary->operand)))
    return b_.ir.CreateNot(condition(*unary->operand));
  return b_.is_nonzero(scalar(expr));
}

void Expressions::evaluate(const Expr& expr) {
  const TypeTable& types = *meaning_.types;
  const ExprInfo& meaning = info(expr);
  if (meaning.constant) return;
  if (types.is_string(meaning.type)) {
    strings_.string(expr);
    return;
  }
  bool is_void = types.resolved(meaning.type).kind == TypeKind::Void;
  if (types.is_scalar(meaning.type) || is_void) {
    scalar(expr);
    return;
  }
  if (const auto* assignment = std::get_if<Assign>(&expr.form)) {
    assignments_.assign_object(*assignment, expr);
    return;
  }
  places_.place_of(expr);
}

V Expressions::scalar_of(const Expr&, const IntLiteral& form) { return b_.number(form.value); }

V Expressions::scalar_of(const Expr&, const StringLiteral&) { DS_UNREACHABLE(); }  // number_of_form handles strings

V Expressions::scalar_of(const Expr& expr, const Name&) {
  const ExprInfo& meaning = info(expr);
  return std::visit(Overloaded{
                        [&](const BuiltinVariable& variable) -> V { return builtins_.builtin(variable, expr); },
                        [&](const RawArgument& argument) -> V { return arguments_.raw_argument(argument.index, expr); },
                        [&](const TracedName& name) -> V { return traced_variables_.read(name, expr); },
                        [&](const VariableId& id) -> V {
                          return variables_.read(meaning_.variables[id.index], layout_.variables[id.index], expr);
                        },
                        [&](const SymbolAddress& symbol) -> V {
                          V address = b_.number(core_.machine_number(symbol.address, &meaning));
                          return memory_.load({Space::Kernel, address}, meaning.type, expr);
                        },
                        [&](const auto&) -> V { DS_UNREACHABLE(); },
                    },
                    meaning.binding);
}

V Expressions::scalar_of(const Expr& expr, const SymbolRef&) {
  return memory_.load(places_.place_of(expr), type_of(expr), expr);
}

V Expressions::scalar_of(const Expr&, const AggregationRef&) { DS_UNREACHABLE(); }

V Expressions::scalar_of(const Expr& expr, const Index& form) {
  const ExprInfo& meaning = info(expr);
  if (const auto* argument = std::get_if<TypedArgument>(&meaning.binding)) {
    if (const DerivedProbe* derived = arguments_.derived_probe(); derived != nullptr) {
      if (argument->index >= derived->arguments.size()) return b_.number(0);
      return narrow_to(meaning.type,
                       arguments_.with_derivation([&] { return scalar(*derived->arguments[argument->index]); }));
    }
    return narrow_to(meaning.type, arguments_.typed_argument(argument->index, expr));
  }
  if (const auto* user = std::get_if<UserRegister>(&meaning.binding)) return builtins_.user_register(user->index, expr);
  if (auto id = variables_.associative_array_of(*form.base))
    return variables_.read(meaning_.variables[id->index], layout_.variables[id->index], expr);
  if (is_string_value(*form.base) && core_.memory_use.stores_bytes && info(*form.base).is_writable)
    return memory_.load(places_.string_byte(*form.base, form.arguments[0], expr, Access::Read), meaning.type, expr);
  if (is_string_value(*form.base)) {
    // s[i]: a byte of the string. An index beyond the end faults.
    StringValue text = strings_.string(*form.base);
    V index = scalar(*form.arguments[0]);
    if (text.is_null != nullptr) faults_.fault_if(text.is_null, DS_FAULT_BADADDR, index, expr);
    index = faults_.bounded(index, text.capacity, DS_FAULT_BADINDEX, expr);
    return narrow_to(meaning.type, b_.load(b_.at(text.data, index), 1, true));
  }
  return memory_.load(places_.place_of(expr), meaning.type, expr);
}

V Expressions::scalar_of(const Expr& expr, const Call& form) {
  const auto* id = std::get_if<Subroutine>(&info(expr).binding);
  DS_CHECK(id != nullptr);
  return narrow_to(type_of(expr), subroutines_.emit(expr, form, *id).number);
}

V Expressions::scalar_of(const Expr& expr, const Member& form) {
  const auto* member = std::get_if<ResolvedMember>(&info(expr).binding);
  DS_CHECK(member != nullptr);
  if (member->bit_size != 0) {
    Place base = form.is_arrow ? places_.place_of_pointer(*form.base, expr) : places_.place_of(*form.base);
    return narrow_to(
        type_of(expr),
        memory_.load_bitfield(base, core_.machine_number(member->bit_offset / 8, &info(expr)), *member, expr));
  }
  return memory_.load(places_.place_of(expr), type_of(expr), expr);
}

V Expressions::scalar_of(const Expr& expr, const Unary& form) {
  switch (form.op) {
    case UnaryOp::Plus: return scalar(*form.operand);
    case UnaryOp::Minus: return b_.ir.CreateNeg(scalar(*form.operand));
    case UnaryOp::BitNot: return b_.ir.CreateNot(scalar(*form.operand));
    case UnaryOp::Not: return core_.as_unknown(b_.flag(b_.ir.CreateNot(condition(*form.operand))));
    case UnaryOp::Deref:
      if (is_string_value(*form.operand)) {
        StringValue text = strings_.required_string(*form.operand);
        return narrow_to(type_of(expr), b_.load(text.data, 1, true));
      }
      return memory_.load(places_.place_of(expr), type_of(expr), expr);
    case UnaryOp::AddressOf: return address_of(*form.operand);
    case UnaryOp::PreIncrement:
    case UnaryOp::PreDecrement:
    case UnaryOp::PostIncrement:
    case UnaryOp::PostDecrement: return operators_.step(expr, form);
  }
  DS_UNREACHABLE();
}

V Expressions::scalar_of(const Expr& expr, const SizeofExpr&) {
  DS_CHECK(info(expr).constant.has_value());
  return b_.number(core_.constant(info(expr)));
}

V Expressions::scalar_of(const Expr& expr, const SizeofType&) { return b_.number(core_.constant(info(expr))); }

V Expressions::scalar_of(const Expr& expr, const Offsetof&) { return b_.number(core_.constant(info(expr))); }

V Expressions::scalar_of(const Expr&, const Stringof&) { DS_UNREACHABLE(); }

V Expressions::scalar_of(const Expr&, const Xlate&) { DS_UNREACHABLE(); }  // never a number

V Expressions::scalar_of(const Expr& expr, const Cast& form) {
  const TypeTable& types = *meaning_.types;
  TypeId from = type_of(*form.operand);
  if (types.resolved(type_of(expr)).kind == TypeKind::Void) {
    evaluate(*form.operand);
    return b_.number(0);
  }
  if (types.is_string(from)) return scalar(*form.operand);
  // An array becomes the address of its first element.
  if (!types.is_scalar(from)) return address_of(*form.operand);
  return narrow_to(type_of(expr), scalar(*form.operand));
}

// Whether evaluating the expression may assign to variables.
bool Expressions::assigns(const Expr& expr) const {
  bool found = false;
  walk_expr(meaning_, *state_.clause, expr, [&](const Expr& part) { found |= changed_operand(part) != nullptr; });
  return found;
}

V Expressions::scalar_of(const Expr& expr, const Assign& form) {
  const TypeTable& types = *meaning_.types;
  TypeId type = type_of(*form.lhs);
  if (types.is_string(type)) {
    evaluate(*form.rhs);
    return b_.number(0);
  }
  if (!form.op) {
    V value = types.is_pointer(type) ? number_or_address(*form.rhs) : scalar(*form.rhs);
    return assignments_.assign(*form.lhs, narrow_to(type, value), expr);
  }
  if (atomic_updates_.applies_to(*form.lhs, *form.op, form.rhs)) {
    auto operand = [&] {
      V value = scalar(*form.rhs);
      return types.is_pointer(type) ? operators_.pointer_step(value, type) : value;
    };
    return atomic_updates_.update(*form.lhs, *form.op, operand).after;
  }
  LvalueParts parts{.needs_copies = assigns(*form.rhs)};
  V before = with_parts(parts, [&] { return scalar(*form.lhs); });
  V operand = scalar(*form.rhs);
  auto store = [&](V after) { return with_parts(parts, [&] { return assignments_.assign(*form.lhs, after, expr); }); };
  if (types.is_pointer(type)) {
    V by = operators_.pointer_step(operand, type);
    V after = *form.op == BinaryOp::Subtract ? b_.ir.CreateSub(before, by) : b_.ir.CreateAdd(before, by);
    return store(after);
  }
  bool is_shift = *form.op == BinaryOp::ShiftLeft || *form.op == BinaryOp::ShiftRight;
  TypeId common = is_shift ? operators_.as_operand(*form.lhs) : operators_.promoted(*form.lhs, *form.rhs);
  return store(narrow_to(type, operators_.arithmetic(*form.op, before, operand, common, expr)));
}

V Expressions::scalar_of(const Expr& expr, const Binary& form) { return operators_.binary(expr, form); }

V Expressions::scalar_of(const Expr&, const Ternary& form) {
  auto value_of = [&](const Expr& branch) {
    bool is_array = meaning_.types->resolved(type_of(branch)).kind == TypeKind::Array;
    return is_array ? address_of(branch) : scalar(branch);
  };
  if (const ExprInfo& condition = info(*form.condition); condition.constant)
    return value_of(core_.fixed_constant(condition) != 0 ? *form.then_value : *form.else_value);
  V holds = condition(*form.condition);
  const Expr* branches[2] = {form.then_value, form.else_value};
  return core_.as_unknown(b_.if_else(holds, [&](int branch) {
    V value = nullptr;
    core_.conditionally([&] { value = value_of(*branches[branch]); });
    return value;
  }));
}

V Expressions::scalar_of(const Expr&, const Alternative&) { DS_UNREACHABLE(); }  // the checker chose one of them

V Expressions::scalar_of(const Expr&, const Comma& form) {
  evaluate(*form.lhs);
  return scalar(*form.rhs);
}

// The address of an lvalue as a plain number.
V Expressions::address_of(const Expr& object) {
  Place place = places_.place_of(object, Access::Address);
  return place.space == Space::Storage ? b_.as_untracked_scalar(place.address) : b_.to_number(place.address);
}

// The value of an expression where a number or a pointer is required. Arrays and strings decay to their address.
V Expressions::number_or_address(const Expr& expr) {
  const TypeTable& types = *meaning_.types;
  return types.is_scalar(type_of(expr)) || types.is_string(type_of(expr)) ? scalar(expr) : address_of(expr);
}

V Expressions::shared_value(const Expr& expr) {
  const ExprInfo& meaning = info(expr);
  uint32_t number = value_numbers_.number_of(expr, state_.clause);
  auto found = state_.known.values.find(number);
  if (found != state_.known.values.end()) return found->second;
  V value = with_alias_resolved(expr, [&](const Expr& aliased) { return scalar_as(aliased, meaning.type); });
  state_.known.add(number, value);
  return value;
}

}  // namespace dscope
