#include "frontend/check/actions/aggregation_typer.h"

#include "frontend/check/actions/format_checker.h"
#include "frontend/check/expressions/call_typer.h"
#include "frontend/check/expressions/expression_typer.h"
#include "frontend/check/name_table.h"
#include "frontend/check/pending_mistakes.h"
#include "frontend/semantics/number_group.h"

namespace dscope {

const AggregationRef* aggregation_target(const Expr& target) {
  if (const auto* reference = std::get_if<AggregationRef>(&target.form)) return reference;
  const auto* index = std::get_if<Index>(&target.form);
  return index != nullptr ? std::get_if<AggregationRef>(&index->base->form) : nullptr;
}

ExprInfo AggregationTyper::type(const Expr& expr, const Assign& form, const AggregationRef& reference) {
  const auto* call = std::get_if<Call>(&form.rhs->form);
  Callee function = call != nullptr ? calls_.resolve_callee(*form.rhs, *call) : Callee{};
  if (failed()) return {};
  const auto* id = std::get_if<AggregationFunction>(&function);
  if (id == nullptr) {
    if (call == nullptr) expressions_.check(*form.rhs);
    return fail(Tag::D_AGG_FUNC, expr.at, "@{} must be assigned the result of an aggregating function", reference.name);
  }
  auto known = names_.find_aggregation(reference.name);
  bool is_new = !known;
  AggregationId aggregation = known ? *known : names_.add_aggregation({.name = reference.name, .function = *id});
  if (!type_keys(*form.lhs, semantics_.aggregations[aggregation.index], is_new)) return {};
  calls_.allow_action(*form.rhs, ActionPosition::Key);
  expressions_.check(*form.rhs);
  if (failed()) return {};
  Aggregation& defined = semantics_.aggregations[aggregation.index];
  if (is_new) {
    defined.line = expr.at.line != 0 ? expr.at.line : diagnostics_.sources().locate(expr.at.range.begin).line;
  } else if (defined.function != *id) {
    return fail(Tag::D_AGG_REDEF, expr.at,
                "aggregation redefined: @{}\n\t current: @{} = {}( )\n\tprevious: @{} = {}( ) : line {}",
                reference.name, reference.name, row(*id).name, reference.name, row(defined.function).name,
                defined.line);
  }
  return value(types_.void_type());
}

bool AggregationTyper::type_keys(const Expr& target, Aggregation& aggregation, bool is_new) {
  const auto* index = std::get_if<Index>(&target.form);
  ExprInfo base = value(types_.dynamic_type());
  base.binding = *names_.find_aggregation(aggregation.name);
  expressions_.store(index != nullptr ? *index->base : target, base);
  if (index != nullptr) expressions_.store(target, base);
  static const Index no_keys;
  const Index& keys = index != nullptr ? *index : no_keys;
  if (!is_new) return check_keys(target, keys, aggregation);
  for (size_t i = 0; i < keys.arguments.size(); ++i) {
    auto key = check_key(*keys.arguments[i], i + 1);
    if (!key) return false;
    aggregation.keys.push_back(*key);
  }
  return true;
}

std::optional<AggregationKey> AggregationTyper::check_key(const Expr& expr, size_t number) {
  calls_.allow_action(expr, ActionPosition::Key);
  ExprInfo key = expressions_.check(expr);
  calls_.allow_no_action();
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
  if (context_.instance != nullptr && types_.is_integer(key.type))
    result.numbers = number_group(semantics_, *context_.instance, expr);
  if (const auto* action = std::get_if<Action>(&key.binding)) {
    ActionValue recorded = row(*action).value;
    if (recorded == ActionValue::KernelStack || recorded == ActionValue::UserStack)
      formats_.check_stack(expr, std::get<Call>(expr.form), *action);
    if (row(*action).release != Release::Now)
      pending_.defer_unavailable(expr.at,
                                 fmt::format("{}( ) {}", row(*action).name, unavailable_text(row(*action).release)));
    result.action = *action;
  }
  if (failed()) return std::nullopt;
  return result;
}

bool AggregationTyper::check_keys(const Expr& target, const Index& form, Aggregation& aggregation) {
  size_t count = form.arguments.size();
  if (count != aggregation.keys.size()) {
    fail(Tag::D_PROTO_LEN, target.at, "@{}[ ] prototype mismatch: {} key{} passed, {} expected", aggregation.name,
         count, count == 1 ? "" : "s", aggregation.keys.size());
    return false;
  }
  for (size_t i = 0; i < count; ++i) {
    auto key = check_key(*form.arguments[i], i + 1);
    if (!key) return false;
    AggregationKey& expected = aggregation.keys[i];
    if (key->numbers != expected.numbers) expected.numbers.reset();
    bool is_known = key->type != TypeTable::error_type() && expected.type != TypeTable::error_type();
    if (!is_known || is_compatible_value(expected.type, info(*form.arguments[i]))) continue;
    fail(Tag::D_PROTO_ARG, caret_at(target, *form.arguments[i]),
         "@{}[ ] key #{} is incompatible with prototype:\n\tprototype: {}\n\t{:>9}: {}", aggregation.name, i + 1,
         types_.spell(expected.type), "key", types_.spell(key->type));
    return false;
  }
  return true;
}

// @a[k] in place of a value: it is typed, so that the rule that needs a value reports the error.
ExprInfo AggregationTyper::check_element(const Expr&, const Index& form) {
  ExprInfo base = expressions_.check(*form.base);
  if (failed()) return {};
  for (const Expr* argument : form.arguments) {
    calls_.allow_action(*argument, ActionPosition::Key);
    expressions_.check(*argument);
    calls_.allow_no_action();
    if (failed()) return {};
  }
  return base;
}

}  // namespace dscope
