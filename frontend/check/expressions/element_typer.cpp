#include "frontend/check/expressions/element_typer.h"

#include "frontend/check/actions/aggregation_typer.h"
#include "frontend/check/declarations/type_finder.h"
#include "frontend/check/expressions/address_spaces.h"
#include "frontend/check/expressions/argument_typer.h"
#include "frontend/check/expressions/arithmetic_typer.h"
#include "frontend/check/expressions/expansions.h"
#include "frontend/check/expressions/expression_typer.h"
#include "frontend/check/expressions/type_errors.h"
#include "frontend/check/forward_arrays.h"
#include "frontend/check/name_table.h"

namespace dscope {

ExprInfo ElementTyper::check(const Expr& expr, const Index& form) {
  if (std::holds_alternative<AggregationRef>(form.base->form)) return aggregations_.check_element(expr, form);
  if (const auto* inner = std::get_if<Index>(&form.base->form))
    if (const auto* reference = std::get_if<AggregationRef>(&inner->base->form))
      return fail(Tag::D_AGG_MDIM, expr.at, "improper attempt to reference @{} as a multi-dimensional array",
                  reference->name);
  if (const auto* name = std::get_if<Name>(&form.base->form); name != nullptr && !name->name.empty())
    return check_named_index(expr, form, *name, names_.find(*name));
  if (const auto* symbol = std::get_if<SymbolRef>(&form.base->form); symbol != nullptr && !symbol->is_user)
    if (auto emulated = names_.find_emulated(symbol->name);
        emulated && semantics_.inlines[emulated->index].has_parameters)
      return check_inline_call(expr, form, *emulated);
  return check_element(expr, form);
}

ExprInfo ElementTyper::check_named_index(const Expr& expr, const Index& form, const Name& name,
                                         const ResolvedName& meaning) {
  if (std::holds_alternative<ArgsArray>(meaning)) return arguments_.check_args(expr, form);
  if (const auto* id = std::get_if<BuiltinVariable>(&meaning); id && *id == BuiltinVariable::Uregs)
    return arguments_.check_uregs(expr, form);
  if (std::holds_alternative<std::monostate>(meaning)) return check_undefined(expr, form, name);
  if (const auto* id = std::get_if<VariableId>(&meaning); id && semantics_.variables[id->index].is_associative)
    return check_associative(expr, form, *id);
  if (const auto* id = std::get_if<InlineId>(&meaning); id && semantics_.inlines[id->index].has_parameters)
    return check_inline_call(expr, form, *id);
  return check_element(expr, form);
}

// An array that only clauses further down assign to, or none.
ExprInfo ElementTyper::check_undefined(const Expr& expr, const Index& form, const Name& name) {
  switch (forward_arrays_.resolve(name, form.base->at)) {
    case ForwardArrays::State::Defined: return check_named_index(expr, form, name, names_.find(name));
    case ForwardArrays::State::Untyped: new_keys(form, "associative array"); return {};
    case ForwardArrays::State::Unknown: break;
  }
  fail(Tag::D_VAR_UNDEF, form.base->at, "undefined variable name: {}", spell_name(name));
  suggest(name.name, names_.similar_names(name));
  return {};
}

bool ElementTyper::is_assigned_later(const Index& form) {
  const auto* name = std::get_if<Name>(&form.base->form);
  return name != nullptr && forward_arrays_.resolve(*name, form.base->at) != ForwardArrays::State::Unknown;
}

ExprInfo ElementTyper::check_element(const Expr& expr, const Index& form) {
  ExprInfo base = expressions_.check(*form.base);
  if (failed()) return {};
  ExprInfo index;
  for (const Expr* argument : form.arguments) {
    index = expressions_.check(*argument);
    if (failed()) return {};
  }
  if (is_error(base) || is_error(index)) return {};
  if (form.arguments.size() != 1)
    return fail(Tag::D_ARR_BADREF, expr.at, "an array of type {} takes one index, not {}", types_.spell(base.type),
                form.arguments.size());
  bool is_text = types_.is_string(base.type);
  if (!is_text && !is_pointer_or_array(types_, base.type))
    return fail(Tag::D_DEREF_NONPTR, expr.at, "cannot use an index on a value that is not an array or pointer: {}",
                types_.spell(base.type));
  if (!types_.is_integer(index.type)) return type_errors_.report_incompatible(expr, "[]", base, index);
  if (is_text)
    return {.type = types_.plain_char(), .space = Space::Storage, .is_lvalue = true, .is_writable = base.is_writable};
  TypeId type = target_of(types_, base.type);
  if (is_void(types_, type)) return fail(Tag::D_DEREF_VOID, expr.at, "cannot dereference a pointer to void");
  if (is_function(types_, type))
    return fail(Tag::D_DEREF_FUNC, expr.at, "cannot dereference a pointer to a function: {}", types_.spell(base.type));
  if (type_finder_.size_of(type) == 0)
    return fail(Tag::D_OP_INCOMPLETE, expr.at, "size of {} is not known", types_.spell(type));
  if (!arithmetic_.check_constant_index(expr, base, index)) return {};
  bool is_array = types_.resolved(base.type).kind == TypeKind::Array;
  Space space = is_array ? spaces_.object_space(*form.base, base) : untrusted(base.space);
  if (!index.constant) space = untrusted(space);
  bool is_writable = is_array ? base.is_writable : is_own_memory(space);
  return {.type = type,
          .space = spaces_.loaded_space(is_array ? *form.base : expr, type, space, false),
          .is_lvalue = true,
          .is_writable = is_writable};
}

// ---------------------------------------------------------------- associative arrays, inlines with parameters
std::optional<std::vector<TypeId>> ElementTyper::new_keys(const Index& form, std::string_view what) {
  std::vector<TypeId> keys;
  for (size_t i = 0; i < form.arguments.size(); ++i) {
    ExprInfo key = expressions_.check(*form.arguments[i]);
    if (failed()) return std::nullopt;
    TypeKind kind = types_.resolved(key.type).kind;
    bool is_value =
        kind != TypeKind::Void && kind != TypeKind::Dynamic && kind != TypeKind::Forward && kind != TypeKind::Function;
    if (!is_value) {
      fail(Tag::D_KEY_TYPE, form.arguments[i]->at, "{} expression may not be used as {} index: key #{}",
           types_.spell(key.type), what, i + 1);
      return std::nullopt;
    }
    keys.push_back(key.type);
  }
  return keys;
}

bool ElementTyper::check_keys(const Expr& expr, const std::string& name, const Index& form,
                              const std::vector<TypeId>& expected) {
  size_t count = form.arguments.size();
  if (count != expected.size()) {
    fail(Tag::D_PROTO_LEN, expr.at, "{}[ ] prototype mismatch: {} key{} passed, {} expected", name, count,
         count == 1 ? "" : "s", expected.size());
    return false;
  }
  for (size_t i = 0; i < count; ++i) {
    ExprInfo key = expressions_.check(*form.arguments[i]);
    if (failed()) return false;
    bool is_known = !is_error(key) && expected[i] != TypeTable::error_type();
    if (!is_known || is_compatible_value(expected[i], key)) continue;
    fail(Tag::D_PROTO_ARG, caret_at(expr, *form.arguments[i]),
         "{}[ ] key #{} is incompatible with prototype:\n\tprototype: {}\n\t{:>9}: {}", name, i + 1,
         types_.spell(expected[i]), "key", types_.spell(key.type));
    return false;
  }
  return true;
}

ExprInfo ElementTyper::check_associative(const Expr& expr, const Index& form, VariableId id) {
  const Variable& variable = semantics_.variables[id.index];
  std::string name = spell_name(Name{.scope = variable.scope, .name = variable.name});
  // A copy, because a key may create a variable, which reallocates the others.
  std::vector<TypeId> keys = variable.keys;
  if (!check_keys(expr, name, form, keys)) return {};
  ExprInfo base = value(types_.dynamic_type());
  base.binding = id;
  expressions_.store(*form.base, base);
  ExprInfo result = value(semantics_.variables[id.index].type);
  result.binding = id;
  result.is_lvalue = result.is_writable = true;
  result.space = types_.is_pointer(result.type) ? spaces_.read_pointee(id) : Space::Storage;
  return result;
}

// The arguments are evaluated in place of the parameters, once for each mention.
ExprInfo ElementTyper::check_inline_call(const Expr& expr, const Index& form, InlineId id) {
  const Inline definition = semantics_.inlines[id.index];
  if (!check_keys(expr, definition.name, form, definition.parameter_types)) return {};
  std::vector<const Expr*> arguments(form.arguments.begin(), form.arguments.end());
  Parameters parameters{
      .names = definition.parameter_names, .types = definition.parameter_types, .arguments = arguments};
  const Expr* value = expansions_.expand(*definition.value, parameters, expr);
  if (value == nullptr) return {};
  ExprInfo result = expansions_.replacement_info(*value, definition.type);
  result.binding = id;
  return result;
}

}  // namespace dscope
