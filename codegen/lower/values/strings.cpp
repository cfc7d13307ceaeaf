#include "codegen/lower/values/strings.h"

#include <algorithm>

#include "codegen/lower/memory/places.h"
#include "codegen/lower/memory/variables.h"
#include "codegen/lower/probe/arguments.h"
#include "codegen/lower/probe/probe_names.h"
#include "codegen/lower/probe/task_context.h"
#include "codegen/lower/programs/faults.h"
#include "codegen/lower/programs/scratch_slot.h"
#include "codegen/lower/subroutines/subroutines.h"
#include "codegen/lower/values/assignments.h"
#include "codegen/lower/values/expressions.h"
#include "codegen/lower/values/string_memory.h"
#include "support/check.h"

namespace dscope {

StringValue Strings::string(const Expr& expr) {
  LvalueParts* parts = state_.lvalue_parts;
  if (parts == nullptr) return emit_string(expr);
  auto known = parts->strings.find(&expr);
  if (parts->is_complete && known != parts->strings.end()) return known->second;
  StringValue value = emit_string(expr);
  return parts->strings[&expr] = parts->needs_copies ? copy_of(value) : value;
}

StringValue Strings::copy_of(const StringValue& value) {
  uint32_t capacity = string_capacity();
  V data = scratch_.temporary(capacity);
  string_memory_.store(data, capacity, value);
  return {data, capacity, value.is_null};
}

StringValue Strings::emit_string(const Expr& expr) {
  if (info(expr).stands_for != nullptr)
    return expressions_.with_alias_resolved(expr, [&](const Expr& value) { return alias_string(expr, value); });
  if (meaning_.types->is_string(type_of(expr))) return string_of_form(expr);
  // char arrays and char pointers denote the string at their address.
  const Type& type = meaning_.types->resolved(type_of(expr));
  if (type.kind == TypeKind::Array) return string_memory_.copy_from(places_.place_of(expr), bound(expr), expr);
  return string_memory_.copy_from(places_.place_of_pointer(expr, expr), bound(expr), expr);
}

// The string of an alias, truncated to the type of the alias.
StringValue Strings::alias_string(const Expr& expr, const Expr& value) {
  if (meaning_.types->is_integer(type_of(value))) return null_string();
  StringValue text = string(value);
  uint32_t size = bound(expr);
  if (bound(value) <= size) return text;
  V data = scratch_.temporary(size);
  string_memory_.store(data, size, text);
  string_memory_.truncate(data, size);
  return {data, round_up8(size), text.is_null};
}

StringValue Strings::required_string(const Expr& expr) {
  StringValue value = string(expr);
  if (value.is_null != nullptr) faults_.fault_if(value.is_null, DS_FAULT_BADADDR, b_.number(0), expr);
  value.is_null = nullptr;
  return value;
}

StringValue Strings::string_of_form(const Expr& expr) {
  const ExprInfo& meaning = info(expr);
  if (const auto* literal = std::get_if<StringLiteral>(&expr.form)) {
    bool is_late = literal->is_macro && core_.is_portable();
    return is_late ? StringValue{core_.machine_text(*literal), round_up8(bound(expr)), nullptr}
                   : string_memory_.literal(literal->bytes);
  }
  if (const auto* builtin = std::get_if<BuiltinVariable>(&meaning.binding)) {
    if (auto container = container_part(*builtin)) return container_name(*container, expr);
    auto part = probe_part(*builtin);
    return part ? probe_names_.probe_name(*part, expr) : execname();
  }
  if (const auto* argument = std::get_if<TypedArgument>(&meaning.binding))
    return string_argument(argument->index, expr);
  const Expr* index = nullptr;
  const Expr& base = variables_.target_of(expr, index);
  if (const auto* id = std::get_if<VariableId>(&info(base).binding);
      id != nullptr && std::holds_alternative<Name>(base.form))
    return string_variable(*id, index, expr);
  return std::visit(Overloaded{
                        [&](const Call& form) -> StringValue {
                          const auto* id = std::get_if<Subroutine>(&meaning.binding);
                          DS_CHECK(id != nullptr);
                          return subroutines_.emit(expr, form, *id).string;
                        },
                        [&](const Ternary& form) -> StringValue { return conditional_string(expr, form); },
                        [&](const Comma& form) -> StringValue {
                          expressions_.evaluate(*form.lhs);
                          return string(*form.rhs);
                        },
                        [&](const Assign& form) -> StringValue { return assigned_string(form, expr); },
                        [&](const Stringof& form) -> StringValue { return converted_string(*form.operand, expr); },
                        [&](const Cast& form) -> StringValue { return converted_string(*form.operand, expr); },
                        [&](const Binary& form) -> StringValue { return suffix(form); },
                        [&](const auto&) -> StringValue {
                          return string_memory_.copy_from(places_.place_of(expr), bound(expr), expr);
                        },
                    },
                    expr.form);
}

StringValue Strings::execname() {
  V data = core_.once_per_firing(CachedValue::Execname, [&] {
    // In the scratch slot: the support library reads at variable offsets, which the verifier does not allow on the
    // stack.
    V buffer = scratch_.at(scratch_.comm_offset());
    task_.read_execname(buffer, comm_bytes);
    return buffer;
  });
  return {data, comm_bytes, nullptr};
}

// A name that the consumer has stored for the thread's cgroup, or "".
StringValue Strings::container_name(ContainerPart part, const Expr& expr) {
  uint32_t capacity = round_up8(bound(expr));
  V key = b_.shared_slot(8, "cgroup");
  b_.store(key, task_.cgroup_id(expr), 8);
  V found = b_.call_for_pointer(Helper::MapLookup, {b_.map(container_map(part)), key});
  V data = scratch_.temporary(capacity);
  b_.if_else(b_.is_zero(b_.to_number(found)), [&](int branch) -> V {
    StringValue name = branch == 0 ? string_memory_.literal("") : StringValue{found, capacity, nullptr};
    core_.conditionally([&] { string_memory_.store(data, capacity, name); });
    return b_.number(0);
  });
  return {data, capacity, nullptr};
}

// A string in args[index] of a user process is an address in its memory.
StringValue Strings::string_argument(uint32_t index, const Expr& expr) {
  const DerivedProbe* probe = arguments_.derived_probe();
  if (probe == nullptr)
    return string_memory_.copy_from({Space::User, arguments_.typed_argument(index, expr)}, bound(expr), expr);
  if (index >= probe->arguments.size()) return null_string();
  return arguments_.with_derivation([&] { return string(*probe->arguments[index]); });
}

StringValue Strings::string_variable(VariableId id, const Expr* index, const Expr& expr) {
  StringValue text = variables_.read_string(id, index);
  if (!core_.memory_use.stores_bytes) return text;
  // A program that stores single bytes may shorten a string and leave bytes behind the terminator. All readers of
  // strings expect zeros there.
  V data = scratch_.temporary(text.capacity);
  string_memory_.read(data, string_capacity(), {Space::Storage, text.data}, expr);
  return {data, text.capacity, text.is_null};
}

StringValue Strings::assigned_string(const Assign& form, const Expr& expr) {
  const Expr* index = nullptr;
  const Expr& target = variables_.target_of(*form.lhs, index);
  const auto* id = std::get_if<VariableId>(&info(target).binding);
  if (id == nullptr || !std::holds_alternative<Name>(target.form)) return assignments_.assign_string_place(form, expr);
  if (meaning_.types->is_integer(type_of(*form.rhs))) {  // = 0, = NULL
    variables_.remove(*id, index);
    return null_string();
  }
  StringValue value = string(*form.rhs);
  variables_.assign_string(*id, index, value);
  return value;
}

// stringof(operand), (string)operand
StringValue Strings::converted_string(const Expr& operand, const Expr& expr) {
  if (meaning_.types->is_string_compatible(type_of(operand))) return string(operand);
  return string_memory_.copy_from(places_.place_of_pointer(operand, expr), bound(expr), expr);
}

// s + i, i + s: the rest of the string.
StringValue Strings::suffix(const Binary& form) {
  V before = is_string_value(*form.lhs) ? nullptr : expressions_.scalar(*form.lhs);
  StringValue text = required_string(before != nullptr ? *form.rhs : *form.lhs);
  V offset = before != nullptr ? before : expressions_.scalar(*form.rhs);
  V data = scratch_.temporary(text.capacity);
  V sizes = b_.number(pack_sizes(text.capacity, text.capacity - 1, text.capacity, 0));
  b_.call_support("ds_suffix", b_.void_type, {data, text.data, sizes, offset});
  return {data, text.capacity, nullptr};
}

StringValue Strings::null_string() { return {string_memory_.literal("").data, 8, b_.ir.getTrue()}; }

// The place of a string that must be copied from kernel or user memory; nothing for any other string.
std::optional<Place> Strings::find_external_string(const Expr& expr) {
  const TypeTable& types = *meaning_.types;
  if (const Expr* value = info(expr).stands_for)
    return types.is_string_compatible(type_of(*value)) ? find_external_string(*value) : std::nullopt;
  if (!types.is_string(type_of(expr))) {
    if (types.resolved(type_of(expr)).kind == TypeKind::Array) return places_.place_of(expr);
    return places_.place_of_pointer(expr, expr);
  }
  auto operand_string = [&](const Expr& operand) -> std::optional<Place> {
    if (types.is_string_compatible(type_of(operand))) return find_external_string(operand);
    return places_.place_of_pointer(operand, expr);
  };
  if (const auto* form = std::get_if<Stringof>(&expr.form)) return operand_string(*form->operand);
  if (const auto* form = std::get_if<Cast>(&expr.form)) return operand_string(*form->operand);
  const auto* call = std::get_if<Call>(&expr.form);
  const auto* id = std::get_if<Subroutine>(&info(expr).binding);
  if (call == nullptr || id == nullptr || *id != Subroutine::Copyinstr) return std::nullopt;
  if (call->arguments.size() > 1 && !info(*call->arguments[1]).constant) return std::nullopt;
  return Place{Space::User, expressions_.scalar(*call->arguments[0])};
}

StringValue Strings::conditional_string(const Expr& expr, const Ternary& form) {
  if (const ExprInfo& condition = info(*form.condition); condition.constant) {
    const Expr& taken = core_.fixed_constant(condition) != 0 ? *form.then_value : *form.else_value;
    if (meaning_.types->is_integer(type_of(taken))) return null_string();
    return string(taken);
  }
  uint32_t capacity = round_up8(bound(expr));
  V data = scratch_.temporary(capacity);
  V is_null = store_conditional(data, bound(expr), form);
  return {data, capacity, core_.as_unknown_flag(is_null)};
}

// Stores the selected string in `size` bytes at `to`, and returns whether it is NULL. Nested conditional expressions
// store to the same address, so a long chain of them needs only one buffer.
V Strings::store_conditional(V to, uint32_t size, const Ternary& form) {
  if (const ExprInfo& condition = info(*form.condition); condition.constant)
    return store_branch(to, size, core_.fixed_constant(condition) != 0 ? *form.then_value : *form.else_value);
  V holds = expressions_.condition(*form.condition);
  const Expr* branches[2] = {form.then_value, form.else_value};
  return b_.if_else(holds, [&](int branch) {
    uint32_t end = scratch_.temporary_end();
    V is_null = nullptr;
    core_.conditionally([&] { is_null = store_branch(to, size, *branches[branch]); });
    // The result has been copied, so the branch's temporaries are free, unless a second use of the lvalue needs them.
    if (state_.lvalue_parts == nullptr) scratch_.release_temporaries(end);
    return is_null;
  });
}

V Strings::store_branch(V to, uint32_t size, const Expr& branch) {
  if (meaning_.types->is_integer(type_of(branch))) {  // NULL
    b_.zero(to, std::min(round_up8(size), inline_copy_limit));
    return b_.ir.getTrue();
  }
  const auto* choice = std::get_if<Ternary>(&branch.form);
  if (choice != nullptr && info(branch).stands_for == nullptr && is_string_value(branch))
    return store_conditional(to, size, *choice);
  StringValue value = string(branch);
  string_memory_.store(to, size, value);
  return value.is_null != nullptr ? value.is_null : b_.ir.getFalse();
}

// NULL from a subroutine such as strstr() prints as the empty string, in a conditional expression too. A NULL variable
// faults (d-language.md 3.4).
bool Strings::null_prints_as_empty(const Expr& use) const {
  const Expr& expr = resolve_alias(use);
  if (const auto* comma = std::get_if<Comma>(&expr.form)) return null_prints_as_empty(*comma->rhs);
  if (const auto* choice = std::get_if<Ternary>(&expr.form))
    return null_prints_as_empty(*choice->then_value) && null_prints_as_empty(*choice->else_value);
  return std::holds_alternative<Call>(expr.form) || std::holds_alternative<StringLiteral>(expr.form);
}

void Strings::write_string(const Expr& expr, V to, uint32_t size) {
  // Reads execname directly into the destination.
  if (const auto* builtin = std::get_if<BuiltinVariable>(&info(expr).binding);
      builtin != nullptr && *builtin == BuiltinVariable::Execname && round_up8(size) == comm_bytes) {
    if (V known = task_.known_execname()) return b_.copy(to, known, comm_bytes);
    return task_.read_execname(to, comm_bytes);
  }
  // Reads strings in kernel or user memory directly into the destination.
  if (size == bound(expr) && state_.lvalue_parts == nullptr) {
    if (auto place = find_external_string(expr)) {
      string_memory_.read(to, size, *place, expr);
      return;
    }
  }
  StringValue value = string(expr);
  if (value.is_null != nullptr && !null_prints_as_empty(expr))
    faults_.fault_if(value.is_null, DS_FAULT_BADADDR, b_.number(0), expr);
  string_memory_.store(to, size, value);
}

// Like write_string(), but optimized for short strings. If a string of kernel or user memory fits into `short_size`
// bytes including its terminator, the bytes behind them stay undefined.
void Strings::write_mostly_short_string(const Expr& expr, V to, uint32_t size, uint32_t short_size) {
  std::optional<Place> place;
  if (size == bound(expr) && state_.lvalue_parts == nullptr) place = find_external_string(expr);
  if (!place) return write_string(expr, to, size);
  V length = string_memory_.read(to, short_size, *place, expr);
  core_.when(b_.ir.CreateICmpUGE(length, b_.number(short_size)), [&] { string_memory_.read(to, size, *place, expr); });
}

}  // namespace dscope
