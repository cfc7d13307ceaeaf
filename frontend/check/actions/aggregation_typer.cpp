// Aggregations: @name[keys] = function(arguments) (d-language.md 6, consumer-and-actions.md 5.1).
#include "frontend/check/checker.h"

namespace dscope {

// The aggregation in `@a`, `@a[k]`; null if `target` is something else.
const AggregationRef* Checker::aggregation_target(const Expr& target) {
  if (const auto* reference = std::get_if<AggregationRef>(&target.form)) return reference;
  const auto* index = std::get_if<Index>(&target.form);
  return index != nullptr ? std::get_if<AggregationRef>(&index->base->form) : nullptr;
}

ExprInfo Checker::type_aggregation(const Expr& expr, const Assign& form, const AggregationRef& reference) {
  const auto* call = std::get_if<Call>(&form.rhs->form);
  Function function = call != nullptr ? find_function(*form.rhs, *call) : Function{};
  if (failed()) return {};
  const auto* id = std::get_if<AggregationFunction>(&function);
  if (id == nullptr) {
    if (call == nullptr) check(*form.rhs);
    return fail(Tag::D_AGG_FUNC, expr.at, "@{} must be assigned the result of an aggregating function", reference.name);
  }
  auto [found, is_new] =
      aggregations_.try_emplace(reference.name, AggregationId{static_cast<uint32_t>(meaning_.aggregations.size())});
  AggregationId aggregation = found->second;
  if (is_new) meaning_.aggregations.push_back({.name = reference.name, .function = *id});
  if (!type_aggregation_keys(*form.lhs, meaning_.aggregations[aggregation.index], is_new)) return {};
  placed_call_ = form.rhs;
  action_place_ = ActionPlace::Key;
  check(*form.rhs);
  if (failed()) return {};
  Aggregation& defined = meaning_.aggregations[aggregation.index];
  if (is_new) {
    defined.line = expr.at.line != 0 ? expr.at.line : diagnostics_.sources().locate(expr.at.range.begin).line;
    defined.is_defined = true;
  } else if (defined.function != *id) {
    return fail(Tag::D_AGG_REDEF, expr.at,
                "aggregation redefined: @{}\n\t current: @{} = {}( )\n\tprevious: @{} = {}( ) : line {}",
                reference.name, reference.name, row(*id).name, reference.name, row(defined.function).name,
                defined.line);
  }
  return value(types_.void_type());
}

bool Checker::type_aggregation_keys(const Expr& target, Aggregation& aggregation, bool is_new) {
  const auto* index = std::get_if<Index>(&target.form);
  ExprInfo base = value(types_.dynamic_type());
  base.binding = aggregations_.find(aggregation.name)->second;
  store(index != nullptr ? *index->base : target, base);
  if (index != nullptr) store(target, base);
  static const Index no_keys;
  const Index& keys = index != nullptr ? *index : no_keys;
  if (!is_new) return same_key_signature(target, keys, aggregation);
  for (size_t i = 0; i < keys.arguments.size(); ++i) {
    auto key = aggregation_key(*keys.arguments[i], i + 1);
    if (!key) return false;
    aggregation.keys.push_back(*key);
  }
  return true;
}

std::optional<AggregationKey> Checker::aggregation_key(const Expr& expr, size_t number) {
  placed_call_ = &expr;
  action_place_ = ActionPlace::Key;
  ExprInfo key = check(expr);
  placed_call_ = nullptr;
  if (failed()) return std::nullopt;
  TypeKind kind = types_.resolved(key.type).kind;
  bool is_value =
      kind != TypeKind::Void && kind != TypeKind::Dynamic && kind != TypeKind::Forward && kind != TypeKind::Function;
  if (!is_value) {
    fail(Tag::D_KEY_TYPE, expr.at, "{} expression may not be used as aggregation index: key #{}",
         types_.spell(key.type), number);
    return std::nullopt;
  }
  AggregationKey result{.type = key.type};
  if (const auto* action = std::get_if<Action>(&key.binding)) {
    if (*action == Action::Stack || *action == Action::Ustack || *action == Action::Jstack)
      check_stack(expr, std::get<Call>(expr.form), *action);
    if (row(*action).release != Release::Now)
      not_available(expr.at, fmt::format("{}( ) {}", row(*action).name, unavailable_text(row(*action).release)));
    result.action = *action;
  }
  if (failed()) return std::nullopt;
  return result;
}

bool Checker::same_key_signature(const Expr& target, const Index& form, const Aggregation& aggregation) {
  size_t count = form.arguments.size();
  if (count != aggregation.keys.size()) {
    fail(Tag::D_PROTO_LEN, target.at, "@{}[ ] prototype mismatch: {} key{} passed, {} expected", aggregation.name,
         count, count == 1 ? "" : "s", aggregation.keys.size());
    return false;
  }
  for (size_t i = 0; i < count; ++i) {
    auto key = aggregation_key(*form.arguments[i], i + 1);
    if (!key) return false;
    const AggregationKey& expected = aggregation.keys[i];
    bool is_known = key->type != TypeTable::error_type() && expected.type != TypeTable::error_type();
    if (!is_known || is_compatible_value(expected.type, info(*form.arguments[i]))) continue;
    fail(Tag::D_PROTO_ARG, place(target, *form.arguments[i]),
         "@{}[ ] key #{} is incompatible with prototype:\n\tprototype: {}\n\t{:>9}: {}", aggregation.name, i + 1,
         types_.spell(expected.type), "key", types_.spell(key->type));
    return false;
  }
  return true;
}

// @a[k] where a value is wanted: typed so that the message can come from what wants it.
ExprInfo Checker::aggregation_element(const Expr&, const Index& form) {
  ExprInfo base = check(*form.base);
  if (failed()) return {};
  for (const Expr* argument : form.arguments) {
    placed_call_ = argument;
    action_place_ = ActionPlace::Key;
    check(*argument);
    placed_call_ = nullptr;
    if (failed()) return {};
  }
  return base;
}

// ---------------------------------------------------------------- arguments of aggregating functions

void Checker::check_aggregating(const Expr& expr, const Assign& form, ClauseState& state) {
  check_aggregation_order(expr.at, state);
  if (failed()) return;
  const auto& call = std::get<Call>(form.rhs->form);
  const AggregationRef& reference = *aggregation_target(*form.lhs);
  Aggregation& aggregation = meaning_.aggregations[aggregations_.find(reference.name)->second.index];
  std::string_view name = row(aggregation.function).name;
  if (!call.arguments.empty()) {
    ExprInfo first = info(*call.arguments[0]);
    if (!is_error(first) && !types_.is_scalar(first.type)) {
      fail(Tag::D_AGG_SCALAR, place(*form.rhs, *call.arguments[0]), "{}( ) argument #1 must be of scalar type", name);
      return;
    }
  }
  bool is_first = parameters_known_.insert(reference.name).second;
  switch (aggregation.function) {
    case AggregationFunction::Quantize: check_increment(*form.rhs, call, name, 2); break;
    case AggregationFunction::Lquantize: check_lquantize(*form.rhs, call, aggregation, is_first); break;
    case AggregationFunction::Llquantize: check_llquantize(*form.rhs, call, aggregation, is_first); break;
    case AggregationFunction::Avg:
    case AggregationFunction::Count:
    case AggregationFunction::Max:
    case AggregationFunction::Min:
    case AggregationFunction::Stddev:
    case AggregationFunction::Sum: break;
  }
}

// The last argument of the quantize family: how much a value counts.
void Checker::check_increment(const Expr& expr, const Call& form, std::string_view name, size_t position) {
  if (form.arguments.size() < position) return;
  if (form.arguments.size() > position) {
    fail(Tag::D_PROTO_LEN, expr.at, "{}( ) prototype mismatch: {} args passed, at most {} expected", name,
         form.arguments.size(), position);
    return;
  }
  ExprInfo increment = info(*form.arguments[position - 1]);
  if (is_error(increment) || types_.is_scalar(increment.type)) return;
  fail(Tag::D_PROTO_ARG, place(expr, *form.arguments[position - 1]),
       "{}( ) increment value (argument #{}) must be of scalar type", name, position);
}

}  // namespace dscope
