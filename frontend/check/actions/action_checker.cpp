#include "frontend/check/actions/action_checker.h"

#include "frontend/check/actions/format_checker.h"
#include "frontend/check/declarations/type_finder.h"
#include "frontend/check/expressions/type_errors.h"
#include "frontend/check/name_table.h"
#include "frontend/check/pending_mistakes.h"

namespace dscope {

void ActionChecker::check(const Expr& expr, const Call& form, Action action) {
  const ActionRow& found = row(action);
  if (found.record == ActionRecord::Format) formats_.check_printf(expr, form, action);
  switch (action) {
    case Action::Trace: check_trace(expr, form); break;
    case Action::Tracemem: check_tracemem(expr, form); break;
    case Action::Print: check_print(expr, form); break;
    case Action::Stack:
    case Action::Ustack:
    case Action::Jstack: formats_.check_stack(expr, form, action); break;
    case Action::Clear: check_aggregation_argument(expr, form, "clear", 0, Tag::D_CLEAR_AGGARG); break;
    case Action::Trunc: check_aggregation_argument(expr, form, "trunc", 0, Tag::D_TRUNC_AGGARG); break;
    case Action::Denormalize: check_aggregation_argument(expr, form, "denormalize", 0, Tag::D_NORMALIZE_AGGARG); break;
    case Action::Normalize: check_normalize(expr, form); break;
    case Action::Printa: check_printa(expr, form); break;
    case Action::Breakpoint:
    case Action::Cat:
    case Action::Chill:
    case Action::Commit:
    case Action::Discard:
    case Action::Exit:
    case Action::Freopen:
    case Action::Ftruncate:
    case Action::Func:
    case Action::Mod:
    case Action::Panic:
    case Action::Pcap:
    case Action::Printf:
    case Action::Raise:
    case Action::Setopt:
    case Action::Snapshot:
    case Action::Speculate:
    case Action::Stop:
    case Action::Sym:
    case Action::System:
    case Action::Uaddr:
    case Action::Ufunc:
    case Action::Umod:
    case Action::Usym: break;  // no rules beyond the prototype and the format
  }
  if (found.release != Release::Now)
    pending_.defer_unavailable(expr.at, fmt::format("{}( ) {}", found.name, unavailable_text(found.release)));
}

void ActionChecker::check_trace(const Expr& expr, const Call& form) {
  const Expr& argument = *form.arguments[0];
  TypeId type = info(argument).type;
  Position at = caret_at(expr, argument);
  switch (types_.resolved(type).kind) {
    case TypeKind::Void: fail(Tag::D_TRACE_VOID, at, "trace( ) may not be applied to a void expression"); return;
    case TypeKind::Dynamic: fail(Tag::D_TRACE_DYN, at, "trace( ) may not be applied to a dynamic expression"); return;
    case TypeKind::Function:
    case TypeKind::Forward:
    case TypeKind::Stack:
    case TypeKind::SymAddr:
    case TypeKind::UsymAddr:
      type_errors_.report_argument(expr, argument, Tag::D_PROTO_ARG, "trace", 1, "scalar or string",
                                   types_.spell(type));
      return;
    case TypeKind::Error:
    case TypeKind::Integer:
    case TypeKind::Float:
    case TypeKind::Pointer:
    case TypeKind::Array:
    case TypeKind::Struct:
    case TypeKind::Union:
    case TypeKind::Enum:
    case TypeKind::Typedef:
    case TypeKind::String: return;
  }
}

void ActionChecker::check_tracemem(const Expr& expr, const Call& form) {
  ExprInfo address = info(*form.arguments[0]);
  bool is_address = types_.is_scalar(address.type) || types_.resolved(address.type).kind == TypeKind::Array;
  if (!is_error(address) && !is_address) {
    type_errors_.report_argument(expr, *form.arguments[0], Tag::D_TRACEMEM_ADDR, "tracemem", 1, "pointer or integer",
                                 types_.spell(address.type));
    return;
  }
  auto size = constant_argument(form, 1);
  if (!size || *size <= 0)
    fail(Tag::D_TRACEMEM_SIZE, caret_at(expr, *form.arguments[1]),
         "tracemem( ) argument #2 must be a non-zero positive integral constant expression");
}

// print() shows types, and the type of `1` or "x" is uninteresting. A cast names an interesting type.
bool ActionChecker::is_plain_constant(const Expr& expr) const {
  if (std::holds_alternative<Cast>(expr.form)) return false;
  const ExprInfo meaning = info(expr);
  bool is_number = meaning.constant.has_value() && types_.resolved(meaning.type).kind == TypeKind::Integer;
  return is_number || std::holds_alternative<StringLiteral>(expr.form);
}

void ActionChecker::check_print(const Expr& expr, const Call& form) {
  const Expr& argument = *form.arguments[0];
  TypeId type = info(argument).type;
  Position at = caret_at(expr, argument);
  if (is_plain_constant(argument)) {
    type_errors_.report_argument(expr, argument, Tag::D_PROTO_ARG, "print", 1, "void *", types_.spell(type));
    return diagnostics_.hint("print constants with trace() or printf()");
  }
  switch (types_.resolved(type).kind) {
    case TypeKind::Error: return;
    case TypeKind::Void:
    case TypeKind::Float:
    case TypeKind::Function:
    case TypeKind::Forward:
    case TypeKind::Stack:
    case TypeKind::SymAddr:
    case TypeKind::UsymAddr:
    case TypeKind::Dynamic:
      return type_errors_.report_argument(expr, *form.arguments[0], Tag::D_PROTO_ARG, "print", 1, "void *",
                                          types_.spell(type));
    case TypeKind::Pointer:
    case TypeKind::Integer:
    case TypeKind::Array:
    case TypeKind::Struct:
    case TypeKind::Union:
    case TypeKind::Enum:
    case TypeKind::Typedef:
    case TypeKind::String: break;
  }
  if (types_.is_pointer(type)) type = target_of(types_, type);
  if (type_finder_.size_of(type) != 0) return;
  fail(Tag::D_PRINT_SIZE, at, "print( ) argument #1 reference has type '{}' with size 0; cannot print( ) it.",
       types_.spell(type));
}

// ---------------------------------------------------------------- actions on aggregations
bool ActionChecker::check_aggregation_argument(const Expr& expr, const Call& form, std::string_view name,
                                               size_t argument, Tag kind) {
  const Expr& given = *form.arguments[argument];
  if (std::holds_alternative<AggregationRef>(given.form)) return true;
  type_errors_.report_argument(expr, given, kind, name, argument + 1, "aggregation", types_.spell(info(given).type));
  return false;
}

const Aggregation& ActionChecker::aggregation_of(const Expr& argument) const {
  return semantics_.aggregations[names_.find_aggregation(std::get<AggregationRef>(argument.form).name)->index];
}

void ActionChecker::check_normalize(const Expr& expr, const Call& form) {
  if (!check_aggregation_argument(expr, form, "normalize", 0, Tag::D_NORMALIZE_AGGARG)) return;
  ExprInfo divisor = info(*form.arguments[1]);
  if (!is_error(divisor) && !types_.is_scalar(divisor.type))
    fail(Tag::D_NORMALIZE_SCALAR, caret_at(expr, *form.arguments[1]),
         "normalize( ) argument #2 must be of scalar type");
  else if (is_zero(divisor))
    fail(Tag::D_NORMALIZE_SCALAR, caret_at(expr, *form.arguments[1]), "normalize( ) argument #2 must not be zero");
}

void ActionChecker::check_printa(const Expr& expr, const Call& form) {
  size_t first = 0;
  const StringLiteral* text = form.arguments.empty() ? nullptr : std::get_if<StringLiteral>(&form.arguments[0]->form);
  if (!form.arguments.empty() && types_.is_string_compatible(info(*form.arguments[0]).type)) {
    if (text == nullptr) {
      type_errors_.report_argument(expr, *form.arguments[0], Tag::D_PRINTF_ARG_FMT, "printa", 1, "string constant",
                                   types_.spell(info(*form.arguments[0]).type));
      return;
    }
    first = 1;
  }
  if (form.arguments.size() <= first) {
    fail(Tag::D_PRINTA_PROTO, expr.at, "printa( ) prototype mismatch: {} args passed, {} expected",
         form.arguments.size(), first + 1);
    return;
  }
  for (size_t i = first; i < form.arguments.size(); ++i) {
    if (!check_aggregation_argument(expr, form, "printa", i, Tag::D_PRINTA_AGGARG)) return;
    if (i > first) check_matching_keys(expr, *form.arguments[first], *form.arguments[i]);
    if (failed()) return;
  }
  if (text == nullptr) return;
  const Aggregation& aggregation = aggregation_of(*form.arguments[first]);
  bool is_count = aggregation.function == AggregationFunction::Count;
  FormatCall call{.expr = &expr,
                  .name = "printa",
                  .aggregation_value = types_.find(is_count ? "uint64_t" : "int64_t"),
                  .is_exact = false};
  for (size_t i = first; i < form.arguments.size(); ++i)
    call.functions.push_back(aggregation_of(*form.arguments[i]).function);
  for (const AggregationKey& key : aggregation.keys)
    call.arguments.push_back({.expr = &expr, .type = key.type, .numbers = key.numbers});
  formats_.check(std::move(call), *text);
}

// printa(@a, @b) prints one line per key, so the keys must be comparable.
void ActionChecker::check_matching_keys(const Expr& expr, const Expr& first, const Expr& other) {
  const std::string& a = std::get<AggregationRef>(first.form).name;
  const std::string& b = std::get<AggregationRef>(other.form).name;
  const std::vector<AggregationKey>& left = aggregation_of(first).keys;
  const std::vector<AggregationKey>& right = aggregation_of(other).keys;
  auto plural = [](size_t count) { return count == 1 ? "" : "s"; };
  if (left.size() != right.size()) {
    fail(Tag::D_PRINTA_AGGKEY, caret_at(expr, other),
         "printa( ): @{} and @{} do not have matching key signatures: @{} has {} key{}, @{} has {} key{}", a, b, a,
         left.size(), plural(left.size()), b, right.size(), plural(right.size()));
    return;
  }
  for (size_t i = 0; i < left.size(); ++i) {
    bool is_known = left[i].type != TypeTable::error_type() && right[i].type != TypeTable::error_type();
    if (!is_known || is_compatible(types_, left[i].type, right[i].type, false)) continue;
    fail(Tag::D_PRINTA_AGGPROTO, caret_at(expr, other),
         "printa( ): @{}[ ] key #{} is incompatible with @{}:\n{:>9} key #{}: {}\n{:>9} key #{}: {}", b, i + 1, a, a,
         i + 1, types_.spell(left[i].type), b, i + 1, types_.spell(right[i].type));
    return;
  }
}

}  // namespace dscope
