#include "frontend/check/actions/format_checker.h"

#include <algorithm>

#include "frontend/check/expressions/type_errors.h"
#include "frontend/semantics/number_group.h"
#include "support/check.h"
#include "support/text/word_list.h"

namespace dscope {

void FormatChecker::check_stack(const Expr& expr, const Call& form, Action action) {
  bool is_user = action != Action::Stack;
  check_stack_count(expr, form, is_user ? Tag::D_USTACK_FRAMES : Tag::D_STACK_SIZE, 0, "non-zero positive", false);
  if (!failed()) check_stack_count(expr, form, Tag::D_USTACK_STRSIZE, 1, "positive", true);
}

void FormatChecker::check_stack_count(const Expr& expr, const Call& form, Tag tag, size_t argument,
                                      std::string_view what, bool may_be_zero) {
  if (argument >= form.arguments.size()) return;
  auto count = constant_argument(form, argument);
  if (count && (*count > 0 || (may_be_zero && *count == 0))) return;
  fail(tag, caret_at(expr, *form.arguments[argument]), "{}( ) argument #{} must be a {} integer constant",
       std::get<Name>(form.callee->form).name, argument + 1, what);
}

namespace {

struct ConversionRow {
  std::string_view names;  // blank-separated
  FormatAccepts accepts;
  std::string_view expected;
  uint32_t size = 0;  // Sized
  enum class Sign : uint8_t { Signed, Unsigned, Either } sign = Sign::Either;
};

using Sign = ConversionRow::Sign;
constexpr ConversionRow conversion_rows[] = {
    {"d i u o x X", FormatAccepts::Integer, "char, short, int, long, or long long"},
    {"c C", FormatAccepts::SmallInteger, "char, short, or int"},
    {"e E f g G", FormatAccepts::Float, "float, double, or long double"},
    {"Le LE Lf Lg LG", FormatAccepts::LongDouble, "long double"},
    {"a p", FormatAccepts::Address, "pointer or integer"},
    {"A", FormatAccepts::UserAddress, "pointer or integer (with -p/-c) or _usymaddr (without -p/-c)"},
    {"s S", FormatAccepts::Text, "char [] or string (or use stringof)"},
    {"ls ws", FormatAccepts::WideText, "wchar_t []"},
    {"lc wc", FormatAccepts::WideCharacter, "int"},
    {"T Y", FormatAccepts::Nanoseconds, "int64_t"},
    {"k", FormatAccepts::Stack, "stack"},
    {"hd hi", FormatAccepts::Sized, "short", 2, Sign::Signed},
    {"ho hu", FormatAccepts::Sized, "unsigned short", 2, Sign::Unsigned},
    {"hx hX", FormatAccepts::Sized, "short or unsigned short", 2},
    {"ld li", FormatAccepts::Sized, "long", 8, Sign::Signed},
    {"lo lu", FormatAccepts::Sized, "unsigned long", 8, Sign::Unsigned},
    {"lx lX", FormatAccepts::Sized, "long or unsigned long", 8},
    {"lld lli", FormatAccepts::Sized, "long long", 8, Sign::Signed},
    {"llo llu", FormatAccepts::Sized, "unsigned long long", 8, Sign::Unsigned},
    {"llx llX", FormatAccepts::Sized, "long long or unsigned long long", 8},
};

const ConversionRow& find_conversion(std::string_view name) {
  for (const ConversionRow& row : conversion_rows)
    if (has_word(row.names, name)) return row;
  DS_UNREACHABLE();
}

}  // namespace

bool FormatChecker::accepts(const FormatConversion& conversion, TypeId id) const {
  const ConversionRow& row = find_conversion(conversion.name);
  const Type& type = types_.resolved(id);
  bool is_integer = types_.is_integer(id);
  switch (row.accepts) {
    case FormatAccepts::Integer: return is_integer;
    case FormatAccepts::SmallInteger: return is_integer && type.size <= 4;
    case FormatAccepts::Float: return type.kind == TypeKind::Float;
    case FormatAccepts::LongDouble: return type.kind == TypeKind::Float && type.size == 16;
    case FormatAccepts::Address:
      return is_integer || type.kind == TypeKind::Pointer || (type.kind == TypeKind::SymAddr && conversion.name == "a");
    case FormatAccepts::UserAddress:
      if (type.kind == TypeKind::UsymAddr) return true;
      // Plain addresses belong to the target process.
      return target_ == TargetProcess::Given && (is_integer || type.kind == TypeKind::Pointer);
    case FormatAccepts::Text:
      // %s prints the name of an enumerator.
      return type.kind == TypeKind::String || type.kind == TypeKind::Enum ||
             (type.kind == TypeKind::Array && types_.is_string_compatible(id));
    case FormatAccepts::WideText: {
      if (type.kind != TypeKind::Array) return false;
      return types_.is_integer(type.base) && types_.size_of(type.base) == 4;
    }
    case FormatAccepts::WideCharacter: return is_integer && type.size == 4;
    case FormatAccepts::Nanoseconds: return is_integer && type.size == 8;
    case FormatAccepts::Stack: return type.kind == TypeKind::Stack;
    case FormatAccepts::Sized: {
      bool is_signed = types_.is_signed_integer(id);
      bool sign_fits = row.sign == Sign::Either || (row.sign == Sign::Signed) == is_signed;
      bool is_long = conversion.name.starts_with('l') && !conversion.name.starts_with("ll");
      uint64_t size = is_long ? types_.size_of(*types_.find("long")) : row.size;
      return is_integer && type.size == size && sign_fits;
    }
  }
  DS_UNREACHABLE();
}

void FormatChecker::check_printf(const Expr& expr, const Call& form, Action action) {
  std::string_view name = row(action).name;
  const auto* text = std::get_if<StringLiteral>(&form.arguments[0]->form);
  if (text == nullptr) {
    type_errors_.report_argument(expr, *form.arguments[0], Tag::D_PRINTF_ARG_FMT, name, 1, "string constant",
                                 types_.spell(info(*form.arguments[0]).type));
    return;
  }
  if (action == Action::Freopen && text->bytes == ".") {
    fail(Tag::D_FREOPEN_INVALID, caret_at(expr, *form.arguments[0]), "freopen( ) argument #1 cannot be \".\"");
    return;
  }
  // freopen("") switches back to standard output.
  if (action == Action::Freopen && text->bytes.empty()) return;
  FormatCall call{.expr = &expr, .name = name};
  for (size_t i = 1; i < form.arguments.size(); ++i) {
    ExprInfo argument = info(*form.arguments[i]);
    bool is_user_text =
        types_.is_pointer(argument.type) && types_.is_string_compatible(argument.type) && argument.space == Space::User;
    std::optional<NumberGroup> numbers;
    if (context_.instance != nullptr && types_.is_integer(argument.type))
      numbers = number_group(semantics_, *context_.instance, *form.arguments[i]);
    call.arguments.push_back(
        {.expr = form.arguments[i], .type = argument.type, .is_user_text = is_user_text, .numbers = numbers});
    const auto* stack = std::get_if<Action>(&argument.binding);
    if (stack != nullptr && types_.resolved(argument.type).kind == TypeKind::Stack)
      check_stack(*form.arguments[i], std::get<Call>(form.arguments[i]->form), *stack);
    if (failed()) return;
  }
  check(call, *text);
}

void FormatChecker::check(FormatCall call, const StringLiteral& text) {
  ParsedFormat format = parse_format(text.bytes, context_.options.data_model());
  if (format.text.empty()) {
    fail(Tag::D_PRINTF_FMT_EMPTY, call.expr->at, "{}( ) format string is empty", call.name);
    return;
  }
  if (!format.error.empty()) {
    fail(Tag::D_SYNTAX, call.expr->at, "{}", format.error);
    return diagnostics_.hint(format.hint);
  }
  size_t next = 0;
  for (size_t i = 0; i < format.conversions.size(); ++i)
    if (!check_conversion(call, format.conversions[i], i + 1, next)) return;
  if (call.is_exact && next < call.arguments.size()) {
    fail(Tag::D_PRINTF_ARG_EXTRA, caret_at(*call.expr, *call.arguments[next].expr),
         "{}( ) prototype mismatch: only {} arguments required by this format string", call.name, next);
    return;
  }
  keep_format(*call.expr, format);
}

// %s of a number that has a name, such as errno.
bool FormatChecker::prints_name(const FormatCall& call, const FormatConversion& conversion, size_t argument) const {
  return call.arguments[argument].numbers && find_conversion(conversion.name).accepts == FormatAccepts::Text;
}

// %@: the nth one prints the nth aggregation, or the last one.
bool FormatChecker::check_aggregation_value(FormatCall& call, const FormatConversion& conversion) {
  if (!call.aggregation_value) {
    fail(Tag::D_PRINTF_AGG_CONV, call.expr->at, "%@ conversion requires an aggregation and is not for use with {}( )",
         call.name);
    return false;
  }
  AggregationFunction function = call.functions[std::min(call.values++, call.functions.size() - 1)];
  if (!conversion.piece.percentile || row(function).content == AggregationContent::Buckets) return true;
  fail(Tag::D_PRINTF_AGG_CONV, call.expr->at, "%@p{} conversion requires percentile( ) or a distribution, not {}( )",
       percentile_text(*conversion.piece.percentile), row(function).name);
  return false;
}

bool FormatChecker::check_conversion(FormatCall& call, FormatConversion& conversion, size_t number, size_t& next) {
  if (conversion.name.empty() || conversion.name == "%") return true;
  FormatPiece& piece = conversion.piece;
  bool is_value = piece.is_aggregation_value;
  if (is_value && !check_aggregation_value(call, conversion)) return false;
  if (conversion.has_dynamic_width && !check_dynamic(call, conversion, number, false, next, piece.width_field))
    return false;
  if (conversion.has_dynamic_precision && !check_dynamic(call, conversion, number, true, next, piece.precision_field))
    return false;
  if (!is_value && next >= call.arguments.size()) {
    fail(Tag::D_PRINTF_ARG_PROTO, call.expr->at,
         "{}( ) prototype mismatch: conversion #{} (%{}) is missing a corresponding value argument", call.name, number,
         conversion.name);
    return false;
  }
  const Expr& at = is_value ? *call.expr : *call.arguments[next].expr;
  TypeId type = is_value ? *call.aggregation_value : call.arguments[next].type;
  bool is_user_text = !is_value && call.arguments[next].is_user_text;
  if (!is_value) piece.field = static_cast<int32_t>(next++);
  if (is_user_text && find_conversion(conversion.name).accepts == FormatAccepts::Text) return true;
  if (type == TypeTable::error_type() || accepts(conversion, type)) return true;
  if (!is_value && prints_name(call, conversion, next - 1)) return true;
  std::string what = is_value ? "aggregating action" : fmt::format("argument #{}", next + 1);
  fail(Tag::D_PRINTF_ARG_TYPE, caret_at(*call.expr, at),
       "{}( ) {} is incompatible with conversion #{} prototype:\n\tconversion: %{}\n\t prototype: {}\n\t  argument: {}",
       call.name, what, number, conversion.name, find_conversion(conversion.name).expected, types_.spell(type));
  diagnostics_.hint(conversion_hint(find_conversion(conversion.name).accepts, type));
  return false;
}

// Returns a hint with a conversion for values of type `id`, which the current conversion cannot print.
std::string FormatChecker::conversion_hint(FormatAccepts accepts, TypeId id) const {
  const Type& type = types_.resolved(id);
  bool is_pointer = type.kind == TypeKind::Pointer;
  if (id == types_.dynamic_type()) return "print aggregations with printa(): `printa(\"%@d\\n\", @a)`";
  if (type.kind == TypeKind::Stack) return "print stacks with `%k`";
  if (accepts == FormatAccepts::Text && is_pointer)
    return "print the number with `%p`, or the string at the pointer with stringof()";
  if (accepts == FormatAccepts::Text && types_.is_integer(id))
    return "print the number with `%d`; for the string at an address, use copyinstr() (process) or stringof() ("
           "kernel)";
  if (accepts == FormatAccepts::Nanoseconds && types_.is_integer(id)) return "cast the time: `(int64_t)`";
  if (types_.is_string(id) || (type.kind == TypeKind::Array && types_.is_string_compatible(id)))
    return "print strings with `%s`";
  if (is_pointer) return "print addresses with `%p`, and their symbols with `%a`";
  bool takes_size = accepts == FormatAccepts::Sized || accepts == FormatAccepts::LongDouble;
  return takes_size && types_.is_integer(id) ? "print integers of any size with `%d`, `%u` and `%x`" : "";
}

bool FormatChecker::check_dynamic(const FormatCall& call, const FormatConversion& conversion, size_t number,
                                  bool is_precision, size_t& next, int32_t& field) {
  std::string_view star = is_precision ? ".*" : "*";
  if (next >= call.arguments.size()) {
    fail(Tag::D_PRINTF_DYN_PROTO, call.expr->at,
         "{}( ) prototype mismatch: conversion #{} (%{}) is missing a corresponding \"{}\" argument", call.name, number,
         conversion.name, star);
    return false;
  }
  const FormatArgument& argument = call.arguments[next];
  field = static_cast<int32_t>(next++);
  if (argument.type == TypeTable::error_type() || types_.is_integer(argument.type)) return true;
  fail(Tag::D_PRINTF_DYN_TYPE, caret_at(*call.expr, *argument.expr),
       "{}( ) argument #{} is incompatible with conversion #{} prototype:\n\tconversion: % {} {}\n\t prototype: int\n"
       "\t  argument: {}",
       call.name, next + 1, number, star, conversion.name, types_.spell(argument.type));
  return false;
}

// All instances of a clause share the format: its fields do not depend on the probe description.
void FormatChecker::keep_format(const Expr& expr, const ParsedFormat& format) {
  int32_t& slot = semantics_.format_of_node[expr.id.index];
  if (slot >= 0) return;
  slot = static_cast<int32_t>(semantics_.formats.size());
  CheckedFormat checked{.plan = {.text = format.text, .pieces = {}}};
  for (const FormatConversion& conversion : format.conversions) checked.plan.pieces.push_back(conversion.piece);
  semantics_.formats.push_back(std::move(checked));
}

}  // namespace dscope
