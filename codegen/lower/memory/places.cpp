#include "codegen/lower/memory/places.h"

#include <algorithm>

#include "codegen/lower/memory/alloca_memory.h"
#include "codegen/lower/memory/dynamic_variables.h"
#include "codegen/lower/memory/memory_access.h"
#include "codegen/lower/memory/thread_locals.h"
#include "codegen/lower/memory/variables.h"
#include "codegen/lower/probe/arguments.h"
#include "codegen/lower/probe/task_context.h"
#include "codegen/lower/probe/traced_variables.h"
#include "codegen/lower/programs/faults.h"
#include "codegen/lower/programs/scratch_slot.h"
#include "codegen/lower/values/expressions.h"
#include "codegen/lower/values/string_memory.h"
#include "codegen/lower/values/strings.h"
#include "support/check.h"

namespace dscope {

Place Places::place_of(const Expr& expr, Access access) {
  const ExprInfo& meaning = info(expr);
  if (const auto* symbol = std::get_if<SymbolAddress>(&meaning.binding))
    return {Space::Kernel, b_.number(core_.machine_number(symbol->address, &meaning))};
  if (meaning.stands_for != nullptr)
    return expressions_.with_alias_resolved(expr, [&](const Expr& value) { return alias_place(expr, value, access); });
  if (meaning.translated != nullptr) return translated_place(*meaning.translated);
  if (const auto* argument = std::get_if<TypedArgument>(&meaning.binding))
    return arguments_.argument_place(argument->index, expr);
  if (const auto* name = std::get_if<TracedName>(&meaning.binding)) return traced_variables_.place_of(*name, expr);
  const Expr* index = nullptr;
  const Expr& base = variables_.target_of(expr, index);
  if (index != nullptr || std::holds_alternative<Name>(expr.form)) {
    const auto* id = std::get_if<VariableId>(&info(base).binding);
    DS_CHECK(id != nullptr);
    return variable_place(*id, index, access);
  }
  return std::visit(
      Overloaded{
          [&](const Member& form) -> Place {
            const auto* member = std::get_if<ResolvedMember>(&meaning.binding);
            DS_CHECK(member != nullptr);
            MachineNumber offset = core_.machine_number(member->bit_offset / 8, &meaning);
            if (form.is_arrow && points_into_own_memory(*form.base)) {
              uint64_t size = meaning_.types->size_of(member->type);
              return own_place(*form.base, expressions_.scalar(*form.base), b_.number(offset), size, expr, access);
            }
            Place object = form.is_arrow ? place_of_pointer(*form.base, expr, access) : place_of(*form.base, access);
            object.address = object.address->getType()->isPointerTy() ? b_.at(object.address, offset)
                                                                      : b_.add(object.address, offset);
            return object;
          },
          [&](const Unary& form) -> Place {
            DS_CHECK(form.op == UnaryOp::Deref);
            if (access == Access::Write && is_string_value(*form.operand))
              return string_byte(*form.operand, nullptr, expr, access);
            return place_of_pointer(*form.operand, expr, access);
          },
          [&](const Index& form) -> Place { return element_place(expr, form, access); },
          [&](const Cast& form) -> Place { return place_of(*form.operand, access); },
          [&](const Ternary& form) -> Place { return conditional_place(expr, form); },
          [&](const Assign& form) -> Place {
            LvalueParts parts;
            expressions_.with_parts(parts, [&] { return expressions_.evaluate(expr), true; });
            return expressions_.with_parts(parts, [&] { return place_of(*form.lhs, access); });
          },
          [&](const Comma& form) -> Place {
            expressions_.evaluate(*form.lhs);
            return place_of(*form.rhs, access);
          },
          [&](const auto&) -> Place { DS_UNREACHABLE(); },
      },
      expr.form);
}

// The place of an alias (an inline, a parameter, a translated member). If a translator gives a string or pointer for a
// char array, the place is a copy of the text.
Place Places::alias_place(const Expr& expr, const Expr& value, Access access) {
  const TypeTable& types = *meaning_.types;
  const Type& type = types.resolved(type_of(expr));
  bool is_text = types.is_string(type_of(value)) || types.is_pointer(type_of(value));
  if (type.kind != TypeKind::Array || !is_text) return place_of(value, access);
  if (!types.is_string_compatible(type_of(expr))) return place_of_pointer(value, expr, access);
  auto size = static_cast<uint32_t>(types.size_of(type_of(expr)));
  V text = scratch_.temporary(size);
  string_memory_.store(text, size, strings_.required_string(value));
  string_memory_.truncate(text, size);
  return {Space::Storage, text};
}

// Builds a whole translated object in scratch memory.
Place Places::translated_place(const TranslatedObject& object) {
  auto size = round_up8(static_cast<uint32_t>(meaning_.types->size_of(object.type)));
  V memory = scratch_.temporary(size);
  b_.zero(memory, size);
  for (const TranslatedMember& member : object.members) {
    if (member.condition == nullptr) store_member(memory, member);
    else core_.when(expressions_.condition(*member.condition), [&] { store_member(memory, member); });
  }
  return {Space::Storage, memory};
}

void Places::store_member(V object, const TranslatedMember& member) {
  const TypeTable& types = *meaning_.types;
  const Expr& value = *member.value;
  if (member.target.bit_size != 0)
    return memory_.store_bitfield({Space::Storage, object}, member.target,
                                  expressions_.scalar_as(value, member.target.type));
  V to = b_.at(object, member.target.bit_offset / 8);
  auto size = static_cast<uint32_t>(types.size_of(member.target.type));
  if (types.is_scalar(member.target.type)) return b_.store(to, expressions_.scalar_as(value, member.target.type), size);
  bool is_text = types.is_string_compatible(member.target.type) && !types.is_integer(type_of(value));
  if (is_text) return string_memory_.store_unaligned(to, size, strings_.required_string(value));
  if (!types.is_integer(type_of(value))) memory_.copy_object(to, place_of(value), size, value);
}

// The memory of a variable or element. Reading one that does not exist yields zeros, writing creates it.
Place Places::variable_place(VariableId id, const Expr* index, Access access) {
  const Variable& variable = meaning_.variables[id.index];
  const VariableLocation& location = layout_.variables[id.index];
  if (location.kind == VariableLocation::Kind::Globals || location.kind == VariableLocation::Kind::Scratch)
    return {Space::Storage, variables_.variable_address(location)};
  bool is_map = location.kind == VariableLocation::Kind::Map;
  if (!is_map && access != Access::Read) return {Space::Storage, variables_.create_object(location)};
  V key = is_map ? variables_.array_key(variable, location, *index) : nullptr;
  V found = is_map ? b_.lookup(location.map, key) : thread_locals_.storage(false);
  V nothing = b_.constant_bytes("", std::max(location.size, location.map_value_size), "nothing");
  auto make = [&](int is_present) {
    if (is_present != 0) return b_.at(b_.pin(found), is_map ? 0 : location.offset);
    if (access != Access::Write) return nothing;
    core_.conditionally([&] { dynamic_variables_.insert(location, key, nothing); });
    V inserted = b_.lookup(location.map, key);
    core_.conditionally([&] { dynamic_variables_.drop_if(b_.is_zero(b_.to_number(inserted))); });
    return inserted;
  };
  return {Space::Storage, b_.pin(b_.if_else(b_.is_zero(b_.to_number(found)), make))};
}

// c ? object : object. Copies the object, because the two may be in different kinds of memory.
Place Places::conditional_place(const Expr& expr, const Ternary& form) {
  if (const ExprInfo& condition = info(*form.condition); condition.constant)
    return place_of(core_.fixed_constant(condition) != 0 ? *form.then_value : *form.else_value);
  auto size = static_cast<uint32_t>(meaning_.types->size_of(type_of(expr)));
  V copy = scratch_.temporary(size);
  V holds = expressions_.condition(*form.condition);
  auto* then_block = b_.block("then");
  auto* else_block = b_.block("else");
  auto* after = b_.block("after");
  b_.ir.CreateCondBr(holds, then_block, else_block);
  for (auto [start, branch] : {std::pair{then_block, form.then_value}, std::pair{else_block, form.else_value}}) {
    b_.start(start);
    core_.conditionally([&] { memory_.copy_object(copy, place_of(*branch), size, *branch); });
    b_.ir.CreateBr(after);
  }
  b_.start(after);
  return {Space::Storage, copy};
}

// The object that a pointer expression points to. Tests for NULL before it computes any address from the pointer.
Place Places::place_of_pointer(const Expr& pointer, const Expr& at, Access access, uint64_t bytes) {
  const ExprInfo& meaning = info(pointer);
  const TypeTable& types = *meaning_.types;
  if (!types.is_scalar(meaning.type) && !types.is_string(meaning.type))
    return place_of(pointer, access);  // an array decays to its first element
  if (meaning.space == Space::Trusted && options_.trusted_loads)
    if (V trusted = trusted_pointer(pointer); trusted != nullptr) {
      faults_.fault_if(b_.is_zero(trusted), DS_FAULT_BADADDR, b_.number(0), at);
      return {Space::Trusted, trusted};
    }
  if (points_into_own_memory(pointer)) {
    const Type& type = types.resolved(meaning.type);
    uint64_t size = type.kind == TypeKind::Pointer ? std::max<uint64_t>(1, types.size_of(type.base)) : 1;
    return own_place(pointer, expressions_.scalar(pointer), b_.number(0), bytes != 0 ? bytes : size, at, access);
  }
  V address = expressions_.scalar(pointer);
  if (access != Access::Address) faults_.fault_if(b_.is_zero(address), DS_FAULT_BADADDR, b_.number(0), at);
  return {meaning.space == Space::User ? Space::User : Space::Kernel, address};
}

bool Places::points_into_own_memory(const Expr& pointer) const {
  const ExprInfo& meaning = info(pointer);
  bool is_pointer = meaning_.types->is_pointer(meaning.type) || meaning_.types->is_string(meaning.type);
  return is_pointer && (meaning.space == Space::Storage || may_be_scratch(meaning.space));
}

// The `size` bytes at `offset` from `address`, the value of a pointer into the D program's own memory. A checked copy
// reads variables, because the pointer is a plain number to the verifier.
Place Places::own_place(const Expr& pointer, V address, V offset, uint64_t size, const Expr& at, Access access) {
  if (access == Access::Address) return {Space::Kernel, b_.ir.CreateAdd(address, offset)};
  faults_.fault_if(b_.is_zero(address), DS_FAULT_BADADDR, b_.number(0), at);
  address = b_.ir.CreateAdd(address, offset);
  Space space = info(pointer).space;
  if (space == Space::Scratch || (may_be_scratch(space) && access == Access::Write)) {
    // The verifier needs this fault: it does not notice that the size exceeds the area.
    if (size > alloca_memory_.limit()) faults_.fault_if(b_.ir.getTrue(), DS_FAULT_BADSIZE, b_.number(size), at);
    return {Space::Storage, alloca_memory_.address(address, b_.number(size), at)};
  }
  if (access == Access::Write) return {Space::Storage, alloca_memory_.variable_memory(address, size, at)};
  return {Space::Kernel,
          may_be_scratch(space) ? alloca_memory_.readable_address(address, b_.number(size), at) : address};
}

// curthread or a pointer member of a trusted object, as a typed pointer that the verifier tracks; null for any other
// expression. Everywhere else these pointers are plain numbers, because the verifier forbids arithmetic on typed ones.
V Places::trusted_pointer(const Expr& expr) {
  const Expr& pointer = resolve_alias(expr);
  const ExprInfo& meaning = info(pointer);
  if (const auto* variable = std::get_if<BuiltinVariable>(&meaning.binding))
    return *variable == BuiltinVariable::Curthread ? task_.current_task() : nullptr;
  if (!std::holds_alternative<Member>(pointer.form) || !std::holds_alternative<ResolvedMember>(meaning.binding))
    return nullptr;
  Place place = place_of(pointer);
  if (place.space != Space::Trusted) return nullptr;
  return b_.opaque(b_.ir.CreateAlignedLoad(b_.ptr, place.address, llvm::Align(8)));
}

// Evaluates operands from left to right: array[i], then [j] of that element.
Place Places::element_place(const Expr& expr, const Index& form, Access access) {
  bool is_text = is_string_value(*form.base);
  if (is_text && access == Access::Write) return string_byte(*form.base, form.arguments[0], expr, access);
  uint64_t size = is_text ? 1 : meaning_.types->size_of(meaning_.types->resolved(type_of(*form.base)).base);
  bool is_in_place = is_text && info(*form.base).is_writable;  // not a copy of the string
  if (points_into_own_memory(*form.base) && !is_in_place) {
    V address = expressions_.scalar(*form.base);
    return own_place(*form.base, address, element_offset(expr, form, Space::None), size, expr, access);
  }
  Place base = is_in_place ? place_of(*form.base, access) : place_of_pointer(*form.base, expr, access);
  if (base.space == Space::Trusted) base = {Space::Kernel, b_.to_number(base.address)};
  V offset = element_offset(expr, form, base.space);
  base.address =
      base.address->getType()->isPointerTy() ? b_.at(base.address, offset) : b_.ir.CreateAdd(base.address, offset);
  return base;
}

// The offset in bytes of an element from the start of its array or from a pointer's target. In kernel structs, an array
// of one element may stand for any number of elements (d-language.md 4.6). In the program's own memory (Space::Storage)
// the index must be in bounds, because the verifier knows the size.
V Places::element_offset(const Expr& expr, const Index& form, Space space) {
  const TypeTable& types = *meaning_.types;
  const Type& type = types.resolved(type_of(*form.base));
  V index = expressions_.scalar(*form.arguments[0]);
  const ExprInfo& position = info(*form.arguments[0]);
  uint64_t count = std::max<uint64_t>(1, type.count);
  bool is_limited = type.count > 1 || space == Space::Storage;
  if (type.kind == TypeKind::Array && is_limited &&
      (!position.constant || (count == 1 && core_.fixed_constant(position) != 0)))
    index = faults_.bounded(index, count, DS_FAULT_BADINDEX, expr);
  return type.kind == TypeKind::String ? index : b_.ir.CreateMul(index, b_.number(types.size_of(type.base)));
}

// The place of the byte s[i], *s or *(s + i) of a string. Faults if the string is NULL. A write must not reach the last
// byte, which is always a terminator.
Place Places::string_byte(const Expr& string_expr, const Expr* index, const Expr& at, Access access) {
  const Expr& whole = resolve_alias(string_expr);
  if (const auto* sum = std::get_if<Binary>(&whole.form)) {
    bool is_first = is_string_value(*sum->lhs);
    return string_byte(is_first ? *sum->lhs : *sum->rhs, is_first ? sum->rhs : sum->lhs, at, access);
  }
  const Expr* key = nullptr;
  const Expr& base = variables_.target_of(whole, key);
  const auto* id = std::get_if<VariableId>(&info(base).binding);
  bool is_variable = std::holds_alternative<Name>(base.form) && id != nullptr;
  // A variable is first read, because it may be NULL, and then written. Its keys must be evaluated only once.
  LvalueParts own;
  bool needs_no_parts = access == Access::Read || (state_.lvalue_parts != nullptr && state_.lvalue_parts->is_complete);
  auto emit = [&](const auto& part) { return needs_no_parts ? part() : expressions_.with_parts(own, part); };
  StringValue text;
  Place place;
  if (is_variable) text = emit([&] { return variables_.read_string(*id, key); });
  else place = place_of(whole, access);
  V offset = index != nullptr ? expressions_.scalar(*index) : b_.number(0);
  if (text.is_null != nullptr) faults_.fault_if(text.is_null, DS_FAULT_BADADDR, offset, at);
  uint64_t bytes = meaning_.types->strsize() + (access == Access::Write ? 0 : 1);
  offset = faults_.bounded(offset, bytes, DS_FAULT_BADINDEX, at);
  if (is_variable && access == Access::Read) place = {Space::Storage, text.data};
  else if (is_variable) place = emit([&] { return place_of(whole, access); });
  bool is_pointer = place.address->getType()->isPointerTy();
  place.address = is_pointer ? b_.at(place.address, offset) : b_.ir.CreateAdd(place.address, offset);
  return place;
}

}  // namespace dscope
