// Strings: where their bytes come from, and how they get into variables, keys and records. Every producer pads its
// buffer with zeroes, so that keys and comparisons work on words.
#include <algorithm>
#include <bit>

#include "codegen/lower/emitter.h"
#include "contract/process_provider.h"
#include "support/check.h"

namespace dscope {

namespace {

constexpr uint32_t comm_bytes = 16;
constexpr uint32_t inline_copy_limit = 1024;  // beyond, the copy is a loop in the support library

}  // namespace

V Emitter::temporary(uint32_t size) {
  uint32_t offset = temporary_end_;
  temporary_end_ += round_up8(size);
  scratch_size_ = std::max(scratch_size_, temporary_end_);
  return scratch_at(offset);
}

StringValue Emitter::string_literal(std::string_view bytes) {
  std::string text(bytes.substr(0, bytes.find('\0')));
  if (text.size() > meaning_.types->strsize()) text.resize(meaning_.types->strsize());
  uint32_t capacity = round_up8(static_cast<uint32_t>(text.size()) + 1);
  V& data = literals_["\"" + text];
  if (data == nullptr) data = b_.constant_bytes(text, capacity, "text");
  return {data, capacity, nullptr};
}

StringValue Emitter::string(const Expr& expr) {
  LvalueParts* parts = lvalue_parts_;
  if (parts == nullptr) return string_anew(expr);
  auto known = parts->strings.find(&expr);
  if (parts->is_complete && known != parts->strings.end()) return known->second;
  return parts->strings[&expr] = string_anew(expr);
}

StringValue Emitter::string_anew(const Expr& expr) {
  if (info(expr).stands_for != nullptr)
    return with_alias_resolved(expr, [&](const Expr& value) { return alias_string(expr, value); });
  if (meaning_.types->is_string(type_of(expr))) return string_of_form(expr);
  // char arrays and char pointers give the string at their address.
  const Type& type = meaning_.types->resolved(type_of(expr));
  if (type.kind == TypeKind::Array) return string_from_memory(place_of(expr), bound(expr), expr);
  return string_from_memory(place_of_pointer(expr, expr), bound(expr), expr);
}

// The text that a node stands for, cut to what the type of the node holds.
StringValue Emitter::alias_string(const Expr& expr, const Expr& value) {
  if (meaning_.types->is_integer(type_of(value))) return {string_literal("").data, 8, b_.ir.getTrue()};  // NULL
  StringValue text = string(value);
  uint32_t most = bound(expr);
  if (bound(value) <= most) return text;
  V data = temporary(most);
  store_string(data, most, text);
  cut_text(data, most);
  return {data, round_up8(most), text.is_null};
}

StringValue Emitter::required_string(const Expr& expr) {
  StringValue value = string(expr);
  if (value.is_null != nullptr) fault_if(value.is_null, DS_FAULT_BADADDR, b_.number(0), expr);
  value.is_null = nullptr;
  return value;
}

StringValue Emitter::string_of_form(const Expr& expr) {
  const ExprInfo& meaning = info(expr);
  if (const auto* literal = std::get_if<StringLiteral>(&expr.form)) return string_literal(literal->bytes);
  if (const auto* builtin = std::get_if<BuiltinVariable>(&meaning.binding)) {
    if (*builtin != BuiltinVariable::Execname) return probe_name(*builtin, expr);
    V data = once_per_firing("execname", [&] {
      // In the scratch slot, as the support library reads at variable offsets, which the stack does not allow.
      V buffer = scratch_at(comm_offset_);
      read_execname(buffer, comm_bytes);
      return buffer;
    });
    return {data, comm_bytes, nullptr};
  }
  if (const auto* argument = std::get_if<TypedArgument>(&meaning.binding)) {
    const DerivedProbe* probe = derived_probe();
    // Of a program: an address there.
    if (probe == nullptr)
      return string_from_memory({Space::User, typed_argument(argument->index, expr)}, bound(expr), expr);
    if (argument->index >= probe->arguments.size()) return {string_literal("").data, 8, b_.ir.getTrue()};
    return as_derived([&] { return string(*probe->arguments[argument->index]); });
  }
  const Expr* index = nullptr;
  const Expr& base = target_of(expr, index);
  if (const auto* id = std::get_if<VariableId>(&info(base).binding);
      id != nullptr && std::holds_alternative<Name>(base.form)) {
    StringValue text = read_string_variable(*id, index);
    if (!stores_bytes_) return text;
    // Single bytes are stored somewhere: behind the terminator may be what was longer. Everybody expects zeroes there.
    V data = temporary(text.capacity);
    read_string(data, string_capacity(), {Space::Storage, text.data}, expr);
    return {data, text.capacity, text.is_null};
  }
  return std::visit(
      Overloaded{
          [&](const Call& form) -> StringValue {
            const auto* id = std::get_if<Subroutine>(&meaning.binding);
            DS_CHECK(id != nullptr);
            return string_call(expr, form, *id);
          },
          [&](const Ternary& form) -> StringValue { return string_choice(expr, form); },
          [&](const Comma& form) -> StringValue {
            evaluate(*form.lhs);
            return string(*form.rhs);
          },
          [&](const Assign& form) -> StringValue {
            const Expr* target_index = nullptr;
            const Expr& target = target_of(*form.lhs, target_index);
            const auto* id = std::get_if<VariableId>(&info(target).binding);
            if (id == nullptr || !std::holds_alternative<Name>(target.form)) return assign_string_place(form, expr);
            if (meaning_.types->is_integer(type_of(*form.rhs))) {  // = 0, = NULL
              delete_variable(*id, target_index);
              return {string_literal("").data, 8, b_.ir.getTrue()};
            }
            StringValue value = string(*form.rhs);
            assign_string_variable(*id, target_index, value);
            return value;
          },
          [&](const Stringof& form) -> StringValue {
            if (meaning_.types->is_string_compatible(type_of(*form.operand))) return string(*form.operand);
            return string_from_memory(place_of_pointer(*form.operand, expr), bound(expr), expr);
          },
          [&](const Cast& form) -> StringValue {
            if (meaning_.types->is_string_compatible(type_of(*form.operand))) return string(*form.operand);
            return string_from_memory(place_of_pointer(*form.operand, expr), bound(expr), expr);
          },
          [&](const Binary& form) -> StringValue {  // s + i, i + s: the rest of the string
            V before = is_string_value(*form.lhs) ? nullptr : scalar(*form.lhs);
            StringValue text = required_string(before != nullptr ? *form.rhs : *form.lhs);
            V offset = before != nullptr ? before : scalar(*form.rhs);
            V data = temporary(text.capacity);
            b_.call_support(
                "ds_suffix", b_.void_type,
                {data, text.data, b_.number(pack_sizes(text.capacity, text.capacity - 1, text.capacity, 0)), offset});
            return {data, text.capacity, nullptr};
          },
          [&](const auto&) -> StringValue { return string_from_memory(place_of(expr), bound(expr), expr); },
      },
      expr.form);
}

// A string that is a member or an array element: its bytes, without a mark for NULL.
StringValue Emitter::assign_string_place(const Assign& form, const Expr&) {
  uint32_t capacity = string_capacity();
  V data = temporary(capacity);
  if (meaning_.types->is_integer(type_of(*form.rhs))) {
    store_string(data, capacity, string_literal(""));
  } else {
    StringValue value = string(*form.rhs);
    store_string(data, capacity, value);
    if (value.is_null != nullptr) when(value.is_null, [&] { store_string(data, capacity, string_literal("")); });
  }
  b_.copy(place_of(*form.lhs, Access::Write).address, data, meaning_.types->strsize() + 1);
  return {data, capacity, nullptr};
}

// Copies the string at `place` into a temporary: at most `bytes` with the terminator.
StringValue Emitter::string_from_memory(const Place& place, uint32_t bytes, const Expr& at) {
  uint32_t capacity = round_up8(bytes);
  V data = temporary(capacity);
  read_string(data, bytes, place, at);
  return {data, capacity, nullptr};
}

// The string at `place` into `bytes` bytes (and padding) at `to`, zero-padded. Gives its length with the terminator.
V Emitter::read_string(V to, uint32_t bytes, const Place& place, const Expr& at) {
  uint32_t room = round_up8(bytes);
  if (room <= inline_copy_limit) {
    b_.zero(to, room);
  } else {
    b_.call_support("ds_clear", b_.void_type, {to, b_.number(room)});
  }
  V address = b_.to_number(place.address);
  V result = place.space == Space::User ? read_user_text(to, bytes, b_.number(bytes), address)
                                        : b_.call(Helper::ProbeReadKernelStr, {to, b_.number32(bytes), address});
  // Variables cannot fail.
  if (place.space != Space::Storage) fault_if(b_.ir.CreateICmpSLT(result, b_.number(0)), DS_FAULT_BADADDR, address, at);
  return result;
}

// Where the bytes of a string lie that has to be copied from kernel or user memory; nothing if it is no such string.
std::optional<Place> Emitter::outside_string(const Expr& expr) {
  const TypeTable& types = *meaning_.types;
  if (const Expr* value = info(expr).stands_for)
    return types.is_string_compatible(type_of(*value)) ? outside_string(*value) : std::nullopt;
  if (!types.is_string(type_of(expr))) {
    if (types.resolved(type_of(expr)).kind == TypeKind::Array) return place_of(expr);
    return place_of_pointer(expr, expr);
  }
  auto operand_string = [&](const Expr& operand) -> std::optional<Place> {
    if (types.is_string_compatible(type_of(operand))) return outside_string(operand);
    return place_of_pointer(operand, expr);
  };
  if (const auto* form = std::get_if<Stringof>(&expr.form)) return operand_string(*form->operand);
  if (const auto* form = std::get_if<Cast>(&expr.form)) return operand_string(*form->operand);
  const auto* call = std::get_if<Call>(&expr.form);
  const auto* id = std::get_if<Subroutine>(&info(expr).binding);
  if (call == nullptr || id == nullptr || *id != Subroutine::Copyinstr) return std::nullopt;
  if (call->arguments.size() > 1 && !info(*call->arguments[1]).constant) return std::nullopt;
  return Place{Space::User, scalar(*call->arguments[0])};
}

// "python*" of the table, with the number of the running process in place of the asterisk.
StringValue Emitter::numbered_provider(const StringValue& provider, const Expr& at) {
  uint32_t room = round_up8(process_digits + 1), capacity = provider.capacity + room;
  V number = temporary(room), data = temporary(capacity);
  b_.call_support("ds_lltostr", b_.void_type,
                  {number, b_.number(pack_sizes(room, process_digits, 0, 0)), builtin(BuiltinVariable::Pid, at)});
  uint64_t characters = std::min(capacity - 1, meaning_.types->strsize());
  b_.call_support("ds_strjoin", b_.void_type,
                  {data, provider.data, number, b_.number(pack_sizes(capacity, characters, provider.capacity, room))});
  return {data, capacity, nullptr};
}

// probefunc and its like as text: a row of a constant table.
StringValue Emitter::probe_name(BuiltinVariable variable, const Expr& at) {
  // The clauses of a program are the same for all its rows: either all of them are of all processes, or none.
  bool is_numbered = variable == BuiltinVariable::Probeprov && !frame_.rows.empty() &&
                     is_of_all_processes(plan_.probes[frame_.rows[0]].provider);
  if (is_numbered) return numbered_provider(name_in_table(variable), at);
  return name_in_table(variable);
}

StringValue Emitter::name_in_table(BuiltinVariable variable) {
  auto text = [&](uint32_t row) -> std::string_view {
    const ProbePlan& probe = plan_.probes[row];
    std::string_view provider = probe.provider;
    if (is_of_all_processes(provider)) provider.remove_suffix(1);
    if (variable == BuiltinVariable::Probeprov) return provider;
    if (variable == BuiltinVariable::Probemod) return probe.module;
    if (variable == BuiltinVariable::Probefunc) return probe.function;
    return probe.name;
  };
  bool is_same = std::all_of(frame_.rows.begin(), frame_.rows.end(),
                             [&](uint32_t row) { return text(row) == text(frame_.rows[0]); });
  if (is_same) return string_literal(text(frame_.rows[0]));
  size_t longest = 0;
  for (const ProbePlan& probe : plan_.probes)
    longest = std::max(longest, text(static_cast<uint32_t>(&probe - plan_.probes.data())).size());
  uint32_t width = round_up8(static_cast<uint32_t>(longest) + 1);
  V& table = literals_[fmt::format("probe part {}", static_cast<int>(variable))];
  if (table == nullptr) {
    std::string bytes(plan_.probes.size() * width, '\0');
    for (size_t row = 0; row < plan_.probes.size(); ++row)
      text(static_cast<uint32_t>(row)).copy(bytes.data() + row * width, width - 1);
    table = b_.constant_bytes(bytes, static_cast<uint32_t>(bytes.size()), "probe_text");
  }
  return {b_.at(table, b_.ir.CreateMul(fired_row(), b_.number(width))), width, nullptr};
}

StringValue Emitter::string_choice(const Expr& expr, const Ternary& form) {
  if (const auto& constant = info(*form.condition).constant) {
    const Expr& taken = *constant != 0 ? *form.then_value : *form.else_value;
    if (meaning_.types->is_integer(type_of(taken))) return {string_literal("").data, 8, b_.ir.getTrue()};  // NULL
    return string(taken);
  }
  uint32_t capacity = round_up8(bound(expr));
  V data = temporary(capacity);
  V is_null = store_choice(data, bound(expr), form);
  return {data, capacity, merged_flag(is_null)};
}

// Stores the string chosen in `size` bytes at `to`; returns whether it is NULL. Choices within choices store in the
// same place: a long chain of them needs no room for each.
V Emitter::store_choice(V to, uint32_t size, const Ternary& form) {
  if (const auto& constant = info(*form.condition).constant)
    return store_chosen(to, size, *constant != 0 ? *form.then_value : *form.else_value);
  V holds = condition(*form.condition);
  const Expr* branches[2] = {form.then_value, form.else_value};
  return b_.chosen(holds, [&](int branch) {
    uint32_t end = temporary_end_;
    V is_null = nullptr;
    conditionally([&] { is_null = store_chosen(to, size, *branches[branch]); });
    // What the branch was made of has been copied, unless it is needed again to store where it was read.
    if (lvalue_parts_ == nullptr) temporary_end_ = end;
    return is_null;
  });
}

V Emitter::store_chosen(V to, uint32_t size, const Expr& branch) {
  if (meaning_.types->is_integer(type_of(branch))) {  // NULL
    b_.zero(to, std::min(round_up8(size), inline_copy_limit));
    return b_.ir.getTrue();
  }
  const auto* choice = std::get_if<Ternary>(&branch.form);
  if (choice != nullptr && info(branch).stands_for == nullptr && is_string_value(branch))
    return store_choice(to, size, *choice);
  StringValue value = string(branch);
  store_string(to, size, value);
  return value.is_null != nullptr ? value.is_null : b_.ir.getFalse();
}

V Emitter::string_sizes(uint32_t capacity) const {
  return const_cast<Emitter*>(this)->b_.number(
      pack_sizes(capacity, std::min(capacity - 1, meaning_.types->strsize()), 0, 0));
}

// Fills `size` bytes at `to` (8-aligned, room for the next multiple of 8) with the string, cut and padded.
void Emitter::store_string(V to, uint32_t size, const StringValue& value) {
  uint32_t room = round_up8(size);
  uint32_t copied = std::min(room, value.capacity);
  if (room > inline_copy_limit) {
    b_.call_support("ds_strcpy", b_.void_type,
                    {to, value.data,
                     b_.number(pack_sizes(room, std::min(size - 1, meaning_.types->strsize()), value.capacity, 0))});
    return;
  }
  b_.copy(to, value.data, copied);
  if (room > copied) b_.zero(b_.at(to, copied), room - copied);
  // A longer source is cut: the field's last byte and the padding behind it are zero.
  if (value.capacity > room) cut_text(to, size);
}

void Emitter::cut_text(V to, uint32_t size) {
  V word = b_.at(to, round_up8(size) - 8);
  uint64_t kept = (uint64_t{1} << ((size - 1) % 8 * 8)) - 1;
  b_.store(word, b_.ir.CreateAnd(b_.load(word, 8, false), b_.number(kept)), 8);
}

// A member of a struct: exactly `size` bytes, at any offset.
void Emitter::store_text(V to, uint32_t size, const StringValue& value) {
  V text = temporary(size);
  store_string(text, size, value);
  cut_text(text, size);
  b_.call(Helper::ProbeReadKernel, {to, b_.number32(size), b_.to_number(text)});
}

// NULL from strstr() and its like prints as nothing, also where it is one of several to choose from; a NULL variable is
// a fault (d-language.md 3.4).
bool Emitter::is_result(const Expr& use) const {
  const Expr& expr = resolve_alias(use);
  if (const auto* comma = std::get_if<Comma>(&expr.form)) return is_result(*comma->rhs);
  if (const auto* choice = std::get_if<Ternary>(&expr.form))
    return is_result(*choice->then_value) && is_result(*choice->else_value);
  return std::holds_alternative<Call>(expr.form) || std::holds_alternative<StringLiteral>(expr.form);
}

void Emitter::string_into(const Expr& expr, V to, uint32_t size) {
  // execname goes straight where it is wanted.
  if (const auto* builtin = std::get_if<BuiltinVariable>(&info(expr).binding);
      builtin != nullptr && *builtin == BuiltinVariable::Execname && round_up8(size) == comm_bytes) {
    if (V known = known_execname()) return b_.copy(to, known, comm_bytes);
    return read_execname(to, comm_bytes);
  }
  // Strings copied from elsewhere are read where they are wanted.
  if (size == bound(expr) && lvalue_parts_ == nullptr) {
    if (auto place = outside_string(expr)) {
      read_string(to, size, *place, expr);
      return;
    }
  }
  StringValue value = string(expr);
  if (value.is_null != nullptr && !is_result(expr)) fault_if(value.is_null, DS_FAULT_BADADDR, b_.number(0), expr);
  store_string(to, size, value);
}

// The same. What is copied from elsewhere and fits into `short_size` bytes with its terminator has undefined bytes
// behind them.
void Emitter::mostly_short_string_into(const Expr& expr, V to, uint32_t size, uint32_t short_size) {
  std::optional<Place> place;
  if (size == bound(expr) && lvalue_parts_ == nullptr) place = outside_string(expr);
  if (!place) return string_into(expr, to, size);
  V length = read_string(to, short_size, *place, expr);
  when(b_.ir.CreateICmpUGE(length, b_.number(short_size)), [&] { read_string(to, size, *place, expr); });
}

StringValue Emitter::string_call(const Expr& expr, const Call& call, Subroutine subroutine) {
  uint32_t capacity = round_up8(bound(expr));
  uint64_t characters = std::min(bound(expr) - 1, meaning_.types->strsize());
  auto result = [&] { return temporary(capacity); };
  auto sizes = [&](uint32_t first, uint32_t second) {
    return b_.number(pack_sizes(capacity, characters, first, second));
  };
  auto one_string = [&](const char* function) -> StringValue {
    StringValue text = required_string(*call.arguments[0]);
    V data = result();
    b_.call_support(function, b_.void_type, {data, text.data, sizes(text.capacity, 0)});
    return {data, capacity, nullptr};
  };
  // The part of `text` from an offset; negative: not found, NULL.
  auto part = [&](const StringValue& text, V offset) -> StringValue {
    V data = result();
    b_.call_support("ds_suffix", b_.void_type, {data, text.data, sizes(text.capacity, 0), offset});
    return {data, capacity, merged_flag(b_.ir.CreateICmpSLT(offset, b_.number(0)))};
  };
  switch (subroutine) {
    case Subroutine::Basename: return one_string("ds_basename");
    case Subroutine::Dirname: return one_string("ds_dirname");
    case Subroutine::Toupper: return one_string("ds_toupper");
    case Subroutine::Tolower: return one_string("ds_tolower");
    case Subroutine::Strjoin: {
      StringValue left = required_string(*call.arguments[0]);
      StringValue right = required_string(*call.arguments[1]);
      V data = result();
      b_.call_support("ds_strjoin", b_.void_type, {data, left.data, right.data, sizes(left.capacity, right.capacity)});
      return {data, capacity, nullptr};
    }
    case Subroutine::Substr: {
      StringValue text = required_string(*call.arguments[0]);
      V index = int_argument(*call.arguments[1]);
      V count = call.arguments.size() > 2 ? int_argument(*call.arguments[2]) : b_.number(meaning_.types->strsize());
      V data = result();
      b_.call_support("ds_substr", b_.void_type, {data, text.data, sizes(text.capacity, 0), index, count});
      return {data, capacity, nullptr};
    }
    case Subroutine::Strchr:
    case Subroutine::Strrchr: {
      StringValue text = required_string(*call.arguments[0]);
      V character = scalar(*call.arguments[1]);
      return part(text, b_.call_support(subroutine == Subroutine::Strchr ? "ds_strchr" : "ds_strrchr", b_.i64,
                                        {text.data, b_.number(text.capacity), character}));
    }
    case Subroutine::Strstr: {
      StringValue text = required_string(*call.arguments[0]);
      StringValue needle = required_string(*call.arguments[1]);
      V found = b_.call_support("ds_strstr", b_.i64,
                                {text.data, needle.data, b_.number(pack_sizes(0, 0, text.capacity, needle.capacity))});
      return part(text, found);
    }
    case Subroutine::DPath: return path(expr, call, 0);
    case Subroutine::MountPoint: return path(expr, call, 1);
    case Subroutine::DentryPath: return path(expr, call, 0);
    case Subroutine::BlockDriver: {
      V& table = literals_["block drivers"];
      auto size = static_cast<uint32_t>(compiled_.driver_table.size());
      if (table == nullptr) table = b_.constant_bytes(compiled_.driver_table, size, "block_drivers");
      V major = bounded(scalar(*call.arguments[0]), block_driver_rows, DS_FAULT_BADINDEX, expr);
      return {b_.at(table, b_.ir.CreateMul(major, b_.number(block_driver_row))), block_driver_row, nullptr};
    }
    case Subroutine::PsArgs: {
      V start = scalar(*call.arguments[0]), end = scalar(*call.arguments[1]);
      V data = result();
      b_.call_support("ds_arguments", b_.void_type, {data, sizes(0, 0), start, end});
      return {data, capacity, nullptr};
    }
    case Subroutine::PsArgsOf: return arguments_of(expr, call);
    case Subroutine::Memstr: return memory_text(expr, call);
    case Subroutine::Copyinstr: {
      V address = scalar(*call.arguments[0]);
      if (call.arguments.size() < 2 || info(*call.arguments[1]).constant)
        return string_from_memory({Space::User, address}, bound(expr), expr);
      // A length known only when it runs: read within it, at least one byte for the terminator.
      V wanted = scalar(*call.arguments[1]);
      if (is_solaris_mode()) wanted = b_.ir.CreateAdd(wanted, b_.number(1));
      V data = temporary(capacity);
      b_.zero(data, capacity);
      V most = b_.number(bound(expr));
      V length = b_.ir.CreateSelect(b_.ir.CreateICmpUGT(wanted, most), most, wanted);
      length = b_.ir.CreateAnd(length, b_.number(std::bit_ceil(bound(expr) + 1) - 1));
      V read = read_user_text(data, bound(expr), length, address);
      fault_if(b_.ir.CreateICmpSLT(read, b_.number(0)), DS_FAULT_BADADDR, address, expr);
      return {data, capacity, nullptr};
    }
    default: return text_call(expr, call, subroutine);
  }
}

}  // namespace dscope
