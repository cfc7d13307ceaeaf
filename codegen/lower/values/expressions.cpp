// Expressions as numbers: literals, names, calls, casts, choices. Strings are in lower_string.cpp, objects in memory in
// lower_memory.cpp, arithmetic in lower_operator.cpp.
#include "codegen/lower/emitter.h"
#include "frontend/semantics/complexity.h"
#include "support/check.h"

namespace dscope {

namespace {

// Larger objects are assigned without a copy in between, for which there would be no room.
constexpr uint32_t largest_copy = 4096;

}  // namespace

bool Emitter::is_string_value(const Expr& expr) const { return meaning_.types->is_string(type_of(expr)); }

V Emitter::canonical(V value, TypeId type) {
  const TypeTable& types = *meaning_.types;
  if (!types.is_integer(type)) return value;
  return b_.narrow(value, static_cast<uint32_t>(types.size_of(type)), types.is_signed_integer(type));
}

V Emitter::convert(V value, TypeId from, TypeId to) {
  const TypeTable& types = *meaning_.types;
  if (types.is_integer(to) && types.is_integer(from) && types.size_of(from) < types.size_of(to) &&
      (types.is_signed_integer(to) || !types.is_signed_integer(from)))
    return value;  // already extended as its own type says
  return canonical(value, to);
}

V Emitter::scalar(const Expr& expr) {
  const ExprInfo& meaning = info(expr);
  if (meaning.constant) return b_.number(*meaning.constant);
  LvalueParts* parts = lvalue_parts_;
  if (parts == nullptr) return number_of_form(expr);
  auto known = parts->numbers.find(&expr);
  if (parts->is_complete && known != parts->numbers.end()) return known->second;
  return parts->numbers[&expr] = number_of_form(expr);
}

V Emitter::number_of_form(const Expr& expr) {
  const ExprInfo& meaning = info(expr);
  if (meaning_.types->is_string(meaning.type)) {
    // Only its address is asked for: as a char pointer, or to compare with NULL. Of a variable, it is not that of a
    // copy.
    const Expr* key = nullptr;
    const Expr& base = target_of(expr, key);
    const auto* id = std::get_if<VariableId>(&info(base).binding);
    bool is_variable = id != nullptr && std::holds_alternative<Name>(base.form);
    if (!is_variable && meaning.is_lvalue && meaning.is_writable) return address_of(expr);
    StringValue text = is_variable ? read_string_variable(*id, key) : string(expr);
    V address = as_untracked_scalar(text.data);
    return text.is_null != nullptr ? b_.ir.CreateSelect(text.is_null, b_.number(0), address) : address;
  }
  if (meaning.stands_for != nullptr) {
    if (value_numbers_.may_be_shared(expr)) return shared_value(expr);
    return with_alias_resolved(expr, [&](const Expr& value) { return scalar_as(value, meaning.type); });
  }
  if (auto known = operands_.find(&expr); known != operands_.end()) return known->second;
  return std::visit([&](const auto& form) { return scalar_of(expr, form); }, expr.form);
}

// The value of another type that a node of type `type` stands for.
V Emitter::scalar_as(const Expr& value, TypeId type) {
  TypeId from = type_of(value);
  bool is_object = !meaning_.types->is_scalar(from) && !meaning_.types->is_string(from);
  if (is_object && !info(value).constant) return b_.to_number(place_of(value).address);
  return convert(scalar(value), from, type);
}

const Expr& Emitter::resolve_alias(const Expr& expr) const {
  const Expr* value = info(expr).stands_for;
  return value != nullptr ? resolve_alias(*value) : expr;
}

V Emitter::condition(const Expr& expr) {
  // Directly, where the value itself is not needed.
  bool is_plain = lvalue_parts_ == nullptr && !info(expr).constant;
  if (const auto* binary = std::get_if<Binary>(&expr.form); binary != nullptr && is_plain && gives_truth(binary->op))
    return truth(*binary);
  if (const auto* unary = std::get_if<Unary>(&expr.form);
      unary != nullptr && is_plain && unary->op == UnaryOp::Not && meaning_.types->is_scalar(type_of(*unary->operand)))
    return b_.ir.CreateNot(condition(*unary->operand));
  return b_.is_nonzero(scalar(expr));
}

// Where ways through the program meet, each has a value of its own, which the verifier knows: it would look at
// everything behind once for each. In clauses with many such places values are made numbers that it does not know (the
// difference of two pointers is one), and then all ways look the same to it.
V Emitter::merged(V value) {
  if (!state_.is_complex || llvm::isa<llvm::Constant>(value)) return value;
  return b_.ir.CreateAdd(value, b_.guarded(unknown_zero()));
}

// Computed where the function begins, for all of it.
V Emitter::unknown_zero() {
  if (state_.unknown_zero != nullptr) return state_.unknown_zero;
  V somewhere = b_.shared_slot(8, "read");
  llvm::IRBuilder<>::InsertPointGuard here(b_.ir);
  b_.ir.SetInsertPoint(b_.function()->getEntryBlock().getTerminator());
  return state_.unknown_zero = b_.ir.CreateSub(b_.to_number(somewhere), b_.to_number(b_.guarded(somewhere)));
}

void Emitter::evaluate(const Expr& expr) {
  const TypeTable& types = *meaning_.types;
  const ExprInfo& meaning = info(expr);
  if (meaning.constant) return;
  if (types.is_string(meaning.type)) {
    string(expr);
    return;
  }
  bool is_void = types.resolved(meaning.type).kind == TypeKind::Void;
  if (types.is_scalar(meaning.type) || is_void) {
    scalar(expr);
    return;
  }
  if (const auto* assignment = std::get_if<Assign>(&expr.form)) {
    assign_object(*assignment, expr);
    return;
  }
  place_of(expr);
}

// Whole structs: into a variable's own memory; the number 0 removes a thread-local or an element.
void Emitter::assign_object(const Assign& form, const Expr& at) {
  state_.known.forget_all();
  const TypeTable& types = *meaning_.types;
  if (types.is_integer(type_of(*form.rhs))) {
    const Expr* index = nullptr;
    const Expr& base = target_of(*form.lhs, index);
    const auto* id = std::get_if<VariableId>(&info(base).binding);
    DS_CHECK(id != nullptr);
    return delete_variable(*id, index);
  }
  auto size = static_cast<uint32_t>(types.size_of(type_of(*form.lhs)));
  Place from = place_of(*form.rhs);
  if (size > largest_copy) return copy_object(place_of(*form.lhs, Access::Write).address, from, size, at);
  V copy = temporary(size);
  copy_object(copy, from, size, at);
  copy_object(place_of(*form.lhs, Access::Write).address, {Space::Storage, copy}, size, at);
}

V Emitter::scalar_of(const Expr&, const IntLiteral& form) { return b_.number(form.value); }

V Emitter::scalar_of(const Expr&, const StringLiteral&) { DS_UNREACHABLE(); }  // its type is string: see scalar

V Emitter::scalar_of(const Expr& expr, const Name&) {
  const ExprInfo& meaning = info(expr);
  return std::visit(Overloaded{
                        [&](const BuiltinVariable& variable) -> V { return builtin(variable, expr); },
                        [&](const RawArgument& argument) -> V { return raw_argument(argument.index, expr); },
                        [&](const VariableId& id) -> V {
                          return read_variable(meaning_.variables[id.index], layout_.variables[id.index], expr);
                        },
                        [&](const SymbolAddress& symbol) -> V {
                          return load_place({Space::Kernel, b_.number(symbol.address)}, meaning.type, expr);
                        },
                        [&](const auto&) -> V { DS_UNREACHABLE(); },
                    },
                    meaning.binding);
}

V Emitter::scalar_of(const Expr& expr, const SymbolRef&) { return load_place(place_of(expr), type_of(expr), expr); }

V Emitter::scalar_of(const Expr&, const AggregationRef&) { DS_UNREACHABLE(); }

// args[n] as the probe has it, for one that is not made of another.
V Emitter::typed_argument(uint32_t index, const Expr& at) {
  const Probe* probe = clause_->probes.empty() ? nullptr : clause_->probes[0];
  if (probe != nullptr && !probe->sites.empty()) {
    V value = raw_argument(index, at);
    // Words of 32 bits come with a sign, which addresses do not have.
    TypeId type = type_of(at);
    bool is_narrow = meaning_.types->is_pointer(type) && meaning_.types->size_of(type) == 4;
    return is_narrow ? b_.narrow(value, 4, false) : value;
  }
  if (probe == nullptr || index >= probe->args.size()) return b_.number(0);
  return argument_source(probe->args[index].source, at);
}

V Emitter::scalar_of(const Expr& expr, const Index& form) {
  const ExprInfo& meaning = info(expr);
  if (const auto* argument = std::get_if<TypedArgument>(&meaning.binding)) {
    if (const DerivedProbe* derived = derived_probe(); derived != nullptr) {
      if (argument->index >= derived->arguments.size()) return b_.number(0);
      return as_derived([&] { return scalar(*derived->arguments[argument->index]); });
    }
    return canonical(typed_argument(argument->index, expr), meaning.type);
  }
  if (const auto* user = std::get_if<UserRegister>(&meaning.binding)) return user_register(user->index, expr);
  if (auto id = associative(*form.base))
    return read_variable(meaning_.variables[id->index], layout_.variables[id->index], expr);
  if (is_string_value(*form.base) && stores_bytes_ && info(*form.base).is_writable)
    return load_place(string_byte(*form.base, form.arguments[0], expr, Access::Read), meaning.type, expr);
  if (is_string_value(*form.base)) {
    // s[i]: a byte of the string; beyond its end there is nothing to read.
    StringValue text = string(*form.base);
    V index = scalar(*form.arguments[0]);
    if (text.is_null != nullptr) fault_if(text.is_null, DS_FAULT_BADADDR, index, expr);
    index = bounded(index, text.capacity, DS_FAULT_BADINDEX, expr);
    return canonical(b_.load(b_.at(text.data, index), 1, true), meaning.type);
  }
  return load_place(place_of(expr), meaning.type, expr);
}

V Emitter::scalar_of(const Expr& expr, const Call& form) {
  const auto* id = std::get_if<Subroutine>(&info(expr).binding);
  DS_CHECK(id != nullptr);
  return canonical(subroutine(expr, form, *id), type_of(expr));
}

V Emitter::scalar_of(const Expr& expr, const Member& form) {
  const auto* member = std::get_if<MemberPlace>(&info(expr).binding);
  DS_CHECK(member != nullptr);
  if (member->bit_size != 0) {
    Place base = form.is_arrow ? place_of_pointer(*form.base, expr) : place_of(*form.base);
    return canonical(load_bitfield(base, *member, expr), type_of(expr));
  }
  return load_place(place_of(expr), type_of(expr), expr);
}

V Emitter::scalar_of(const Expr& expr, const Unary& form) {
  switch (form.op) {
    case UnaryOp::Plus: return canonical(scalar(*form.operand), type_of(expr));
    case UnaryOp::Minus: return canonical(b_.ir.CreateNeg(scalar(*form.operand)), type_of(expr));
    case UnaryOp::BitNot: return canonical(b_.ir.CreateNot(scalar(*form.operand)), type_of(expr));
    case UnaryOp::Not: return merged(b_.flag(b_.ir.CreateNot(condition(*form.operand))));
    case UnaryOp::Deref:
      if (is_string_value(*form.operand)) {
        StringValue text = required_string(*form.operand);
        return canonical(b_.load(text.data, 1, true), type_of(expr));
      }
      return load_place(place_of(expr), type_of(expr), expr);
    case UnaryOp::AddressOf: return address_of(*form.operand);
    case UnaryOp::PreIncrement:
    case UnaryOp::PreDecrement:
    case UnaryOp::PostIncrement:
    case UnaryOp::PostDecrement: return step(expr, form);
  }
  DS_UNREACHABLE();
}

V Emitter::scalar_of(const Expr& expr, const SizeofExpr&) {
  DS_CHECK(info(expr).constant.has_value());
  return b_.number(*info(expr).constant);
}
V Emitter::scalar_of(const Expr& expr, const SizeofType&) { return b_.number(info(expr).constant.value_or(0)); }
V Emitter::scalar_of(const Expr& expr, const Offsetof&) { return b_.number(info(expr).constant.value_or(0)); }
V Emitter::scalar_of(const Expr&, const Stringof&) { DS_UNREACHABLE(); }
V Emitter::scalar_of(const Expr&, const Xlate&) { DS_UNREACHABLE(); }  // is never a number

V Emitter::scalar_of(const Expr& expr, const Cast& form) {
  const TypeTable& types = *meaning_.types;
  TypeId from = type_of(*form.operand);
  if (types.resolved(type_of(expr)).kind == TypeKind::Void) {
    evaluate(*form.operand);
    return b_.number(0);
  }
  if (types.is_string(from)) return scalar(*form.operand);
  // An array becomes the address of its first element.
  if (!types.is_scalar(from)) return address_of(*form.operand);
  return convert(scalar(*form.operand), from, type_of(expr));
}

V Emitter::scalar_of(const Expr& expr, const Assign& form) {
  const TypeTable& types = *meaning_.types;
  TypeId type = type_of(*form.lhs);
  if (types.is_string(type)) {
    evaluate(*form.rhs);
    return b_.number(0);
  }
  if (!form.op) {
    V value = types.is_pointer(type) ? number_or_address(*form.rhs) : scalar(*form.rhs);
    return assign(*form.lhs, convert(value, type_of(*form.rhs), type), expr);
  }
  LvalueParts parts;
  V before = with_parts(parts, [&] { return scalar(*form.lhs); });
  V operand = scalar(*form.rhs);
  auto store = [&](V after) { return with_parts(parts, [&] { return assign(*form.lhs, after, expr); }); };
  if (types.is_pointer(type)) {
    V by = pointer_step(operand, type);
    V after = *form.op == BinaryOp::Subtract ? b_.ir.CreateSub(before, by) : b_.ir.CreateAdd(before, by);
    return store(after);
  }
  bool is_shift = *form.op == BinaryOp::ShiftLeft || *form.op == BinaryOp::ShiftRight;
  TypeId common = is_shift ? type : promoted(type, type_of(*form.rhs));
  V result = arithmetic(*form.op, convert(before, type, common),
                        is_shift ? operand : convert(operand, type_of(*form.rhs), common), common, expr);
  return store(convert(result, common, type));
}

V Emitter::scalar_of(const Expr& expr, const Ternary& form) {
  TypeId type = type_of(expr);
  auto value_of = [&](const Expr& branch) {
    bool is_array = meaning_.types->resolved(type_of(branch)).kind == TypeKind::Array;
    return is_array ? address_of(branch) : convert(scalar(branch), type_of(branch), type);
  };
  if (const auto& constant = info(*form.condition).constant)
    return value_of(*constant != 0 ? *form.then_value : *form.else_value);
  V holds = condition(*form.condition);
  const Expr* branches[2] = {form.then_value, form.else_value};
  return merged(b_.chosen(holds, [&](int branch) {
    V value = nullptr;
    conditionally([&] { value = value_of(*branches[branch]); });
    return value;
  }));
}

V Emitter::scalar_of(const Expr&, const Alternative&) { DS_UNREACHABLE(); }  // stands for one of them

V Emitter::scalar_of(const Expr&, const Comma& form) {
  evaluate(*form.lhs);
  return scalar(*form.rhs);
}

}  // namespace dscope
