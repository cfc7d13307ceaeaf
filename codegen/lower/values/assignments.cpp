#include "codegen/lower/values/assignments.h"

#include "codegen/lower/memory/memory_access.h"
#include "codegen/lower/memory/places.h"
#include "codegen/lower/memory/variables.h"
#include "codegen/lower/programs/scratch_slot.h"
#include "codegen/lower/values/string_memory.h"
#include "codegen/lower/values/strings.h"
#include "support/check.h"

namespace dscope {

namespace {

// Larger objects are assigned without an intermediate copy, which would not fit into scratch memory.
constexpr uint32_t max_copied_object = 4096;

}  // namespace

// Assigns a whole struct to a variable's memory. Assigning the number 0 removes a thread-local variable or an element.
void Assignments::assign_object(const Assign& form, const Expr& at) {
  core_.invalidate_known_values();
  const TypeTable& types = *meaning_.types;
  if (types.is_integer(type_of(*form.rhs))) {
    const Expr* index = nullptr;
    const Expr& base = variables_.target_of(*form.lhs, index);
    const auto* id = std::get_if<VariableId>(&info(base).binding);
    DS_CHECK(id != nullptr);
    return variables_.remove(*id, index);
  }
  auto size = static_cast<uint32_t>(types.size_of(type_of(*form.lhs)));
  Place from = places_.place_of(*form.rhs);
  if (size > max_copied_object)
    return memory_.copy_object(places_.place_of(*form.lhs, Access::Write).address, from, size, at);
  V copy = scratch_.temporary(size);
  memory_.copy_object(copy, from, size, at);
  memory_.copy_object(places_.place_of(*form.lhs, Access::Write).address, {Space::Storage, copy}, size, at);
}

// Assigns to a string that is a member or an array element. It has no NULL mark.
StringValue Assignments::assign_string_place(const Assign& form, const Expr&) {
  uint32_t capacity = string_capacity();
  V data = scratch_.temporary(capacity);
  if (meaning_.types->is_integer(type_of(*form.rhs))) {
    string_memory_.store(data, capacity, string_memory_.literal(""));
  } else {
    StringValue value = strings_.string(*form.rhs);
    string_memory_.store(data, capacity, value);
    if (value.is_null != nullptr)
      core_.when(value.is_null, [&] { string_memory_.store(data, capacity, string_memory_.literal("")); });
  }
  b_.copy(places_.place_of(*form.lhs, Access::Write).address, data, meaning_.types->strsize() + 1);
  return {data, capacity, nullptr};
}

V Assignments::assign(const Expr& lvalue, V value, const Expr& at) {
  V stored = assign_place(lvalue, value, at);
  core_.invalidate_known_values();
  return stored;
}

V Assignments::assign_place(const Expr& lvalue, V value, const Expr& at) {
  const Expr& target = resolve_alias(lvalue);
  const Expr* index = nullptr;
  const Expr& base = variables_.target_of(target, index);
  if (const auto* id = std::get_if<VariableId>(&info(base).binding);
      id != nullptr && std::holds_alternative<Name>(base.form))
    return variables_.assign(*id, index, value, at);
  if (const auto* member = std::get_if<ResolvedMember>(&info(target).binding);
      member != nullptr && member->bit_size != 0) {
    const auto& form = std::get<Member>(target.form);
    Place object = form.is_arrow ? places_.place_of_pointer(*form.base, at, Access::Write)
                                 : places_.place_of(*form.base, Access::Write);
    core_.require_same(&info(target));
    memory_.store_bitfield(object, *member, value);
    return b_.narrow_bits(value, static_cast<uint32_t>(member->bit_size),
                          meaning_.types->is_signed_integer(member->type));
  }
  memory_.store(places_.place_of(target, Access::Write), value, type_of(target), at);
  return value;
}

}  // namespace dscope
