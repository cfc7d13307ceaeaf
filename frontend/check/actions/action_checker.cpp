// What actions ask of their arguments beyond the prototype (consumer-and-actions.md 3); looked at when the whole clause
// has been typed.
#include "frontend/check/checker.h"

namespace dscope {

void Checker::check_action(const Expr& expr, const Call& form, Action action) {
  switch (action) {
    case Action::Trace: check_trace(expr, form); break;
    case Action::Tracemem: check_tracemem(expr, form); break;
    case Action::Print: check_print(expr, form); break;
    case Action::Stack:
    case Action::Ustack:
    case Action::Jstack: check_stack(expr, form, action); break;
    case Action::Clear:
      check_aggregation_argument(expr, form, "clear", 0, Tag::D_CLEAR_AGGARG, Tag::D_CLEAR_AGGBAD);
      break;
    case Action::Trunc:
      check_aggregation_argument(expr, form, "trunc", 0, Tag::D_TRUNC_AGGARG, Tag::D_TRUNC_AGGBAD);
      break;
    case Action::Denormalize:
      check_aggregation_argument(expr, form, "denormalize", 0, Tag::D_NORMALIZE_AGGARG, Tag::D_NORMALIZE_AGGBAD);
      break;
    case Action::Normalize: check_normalize(expr, form); break;
    case Action::Printf:
    case Action::System:
    case Action::Freopen: check_printf(expr, form, action); break;
    case Action::Printa: check_printa(expr, form); break;
    default: break;
  }
  const ActionRow& found = row(action);
  if (found.release != Release::Now)
    not_available(expr.at, fmt::format("{}( ) {}", found.name, unavailable_text(found.release)));
}

void Checker::check_trace(const Expr& expr, const Call& form) {
  const Expr& argument = *form.arguments[0];
  TypeId type = info(argument).type;
  Position at = place(expr, argument);
  switch (types_.resolved(type).kind) {
    case TypeKind::Void: fail(Tag::D_TRACE_VOID, at, "trace( ) may not be applied to a void expression"); return;
    case TypeKind::Dynamic: fail(Tag::D_TRACE_DYN, at, "trace( ) may not be applied to a dynamic expression"); return;
    case TypeKind::Function:
    case TypeKind::Forward:
    case TypeKind::Stack:
    case TypeKind::SymAddr:
    case TypeKind::UsymAddr:
      bad_argument(expr, argument, Tag::D_PROTO_ARG, "trace", 1, "scalar or string", types_.spell(type));
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

void Checker::check_tracemem(const Expr& expr, const Call& form) {
  ExprInfo address = info(*form.arguments[0]);
  bool is_address = types_.is_scalar(address.type) || types_.resolved(address.type).kind == TypeKind::Array;
  if (!is_error(address) && !is_address) {
    bad_argument(expr, *form.arguments[0], Tag::D_TRACEMEM_ADDR, "tracemem", 1, "pointer or integer",
                 types_.spell(address.type));
    return;
  }
  auto size = integer_argument(form, 1);
  if (!size || *size <= 0)
    fail(Tag::D_TRACEMEM_SIZE, place(expr, *form.arguments[1]),
         "tracemem( ) argument #2 must be a non-zero positive integral constant expression");
}

// print() shows all of a translated object: part of typing it, as that may be done again.
void Checker::print_whole(const Call& form) {
  const TranslatedObject* object = info(*form.arguments[0]).translated;
  if (object == nullptr) return;
  TranslatedObject whole = *object;
  whole.is_pointer = false;
  whole_object(*form.arguments[0], whole);
}

// Pointers are followed; other values print as they are.
// Nobody asks what type `1` and "x" have; a cast says that somebody does.
bool Checker::is_plain_constant(const Expr& expr) const {
  if (std::holds_alternative<Cast>(expr.form)) return false;
  const ExprInfo meaning = info(expr);
  bool is_number = meaning.constant.has_value() && types_.resolved(meaning.type).kind == TypeKind::Integer;
  return is_number || std::holds_alternative<StringLiteral>(expr.form);
}

void Checker::check_print(const Expr& expr, const Call& form) {
  const Expr& argument = *form.arguments[0];
  TypeId type = info(argument).type;
  Position at = place(expr, argument);
  if (is_plain_constant(argument)) {
    bad_argument(expr, argument, Tag::D_PROTO_ARG, "print", 1, "void *", types_.spell(type));
    return diagnostics_.hint("trace() and printf() print constants");
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
      return bad_argument(expr, *form.arguments[0], Tag::D_PROTO_ARG, "print", 1, "void *", types_.spell(type));
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
  if (size_of(type) != 0) return;
  fail(Tag::D_PRINT_SIZE, at, "print( ) argument #1 reference has type '{}' with size 0; cannot print( ) it.",
       types_.spell(type));
}

void Checker::check_stack(const Expr& expr, const Call& form, Action action) {
  bool is_user = action != Action::Stack;
  check_stack_count(expr, form, is_user ? Tag::D_USTACK_FRAMES : Tag::D_STACK_SIZE, 0, "non-zero positive", false);
  if (!failed()) check_stack_count(expr, form, Tag::D_USTACK_STRSIZE, 1, "positive", true);
}

void Checker::check_stack_count(const Expr& expr, const Call& form, Tag tag, size_t argument, std::string_view what,
                                bool may_be_zero) {
  if (argument >= form.arguments.size()) return;
  auto count = integer_argument(form, argument);
  if (count && (*count > 0 || (may_be_zero && *count == 0))) return;
  fail(tag, place(expr, *form.arguments[argument]), "{}( ) argument #{} must be a {} integer constant",
       std::get<Name>(form.callee->form).name, argument + 1, what);
}

std::optional<int64_t> Checker::integer_argument(const Call& form, size_t argument) const {
  if (argument >= form.arguments.size()) return std::nullopt;
  ExprInfo found = info(*form.arguments[argument]);
  if (!found.constant || !types_.is_integer(found.type)) return std::nullopt;
  return static_cast<int64_t>(*found.constant);
}

// ---------------------------------------------------------------- actions on aggregations

bool Checker::check_aggregation_argument(const Expr& expr, const Call& form, std::string_view name, size_t argument,
                                         Tag kind, Tag undefined) {
  const Expr& given = *form.arguments[argument];
  const auto* reference = std::get_if<AggregationRef>(&given.form);
  if (reference == nullptr) {
    bad_argument(expr, given, kind, name, argument + 1, "aggregation", types_.spell(info(given).type));
    return false;
  }
  auto id = aggregations_.find(reference->name);
  if (id != aggregations_.end() && meaning_.aggregations[id->second.index].is_defined) return true;
  fail(undefined, place(expr, given), "undefined aggregation: @{}", reference->name);
  return false;
}

void Checker::check_normalize(const Expr& expr, const Call& form) {
  if (!check_aggregation_argument(expr, form, "normalize", 0, Tag::D_NORMALIZE_AGGARG, Tag::D_NORMALIZE_AGGBAD)) return;
  ExprInfo divisor = info(*form.arguments[1]);
  if (!is_error(divisor) && !types_.is_scalar(divisor.type))
    fail(Tag::D_NORMALIZE_SCALAR, place(expr, *form.arguments[1]), "normalize( ) argument #2 must be of scalar type");
  else if (is_zero(divisor))
    fail(Tag::D_NORMALIZE_SCALAR, place(expr, *form.arguments[1]), "normalize( ) argument #2 must not be zero");
}

void Checker::check_printa(const Expr& expr, const Call& form) {
  size_t first = 0;
  const StringLiteral* text = form.arguments.empty() ? nullptr : std::get_if<StringLiteral>(&form.arguments[0]->form);
  if (!form.arguments.empty() && types_.is_string_compatible(info(*form.arguments[0]).type)) {
    if (text == nullptr) {
      bad_argument(expr, *form.arguments[0], Tag::D_PRINTF_ARG_FMT, "printa", 1, "string constant",
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
    if (!check_aggregation_argument(expr, form, "printa", i, Tag::D_PRINTA_AGGARG, Tag::D_PRINTA_AGGBAD)) return;
    if (i > first) check_matching_keys(expr, *form.arguments[first], *form.arguments[i]);
    if (failed()) return;
  }
  if (text == nullptr) return;
  AggregationId id = aggregations_.find(std::get<AggregationRef>(form.arguments[first]->form).name)->second;
  const Aggregation& aggregation = meaning_.aggregations[id.index];
  bool is_count = aggregation.function == AggregationFunction::Count;
  FormatCall call{.expr = &expr,
                  .name = "printa",
                  .aggregation_value = types_.find(is_count ? "uint64_t" : "int64_t"),
                  .is_exact = false};
  for (const AggregationKey& key : aggregation.keys) call.arguments.push_back({.expr = &expr, .type = key.type});
  check_format(call, *text);
}

// printa(@a, @b) prints lines of one key each: the keys must be comparable.
void Checker::check_matching_keys(const Expr& expr, const Expr& first, const Expr& other) {
  const std::string& a = std::get<AggregationRef>(first.form).name;
  const std::string& b = std::get<AggregationRef>(other.form).name;
  const std::vector<AggregationKey>& left = meaning_.aggregations[aggregations_[a].index].keys;
  const std::vector<AggregationKey>& right = meaning_.aggregations[aggregations_[b].index].keys;
  auto plural = [](size_t count) { return count == 1 ? "" : "s"; };
  if (left.size() != right.size()) {
    fail(Tag::D_PRINTA_AGGKEY, place(expr, other),
         "printa( ): @{} and @{} do not have matching key signatures: @{} has {} key{}, @{} has {} key{}", a, b, a,
         left.size(), plural(left.size()), b, right.size(), plural(right.size()));
    return;
  }
  for (size_t i = 0; i < left.size(); ++i) {
    bool is_known = left[i].type != TypeTable::error_type() && right[i].type != TypeTable::error_type();
    if (!is_known || is_compatible(types_, left[i].type, right[i].type, false)) continue;
    fail(Tag::D_PRINTA_AGGPROTO, place(expr, other),
         "printa( ): @{}[ ] key #{} is incompatible with @{}:\n{:>9} key #{}: {}\n{:>9} key #{}: {}", b, i + 1, a, a,
         i + 1, types_.spell(left[i].type), b, i + 1, types_.spell(right[i].type));
    return;
  }
}

}  // namespace dscope
