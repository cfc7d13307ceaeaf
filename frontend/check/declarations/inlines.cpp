#include "frontend/check/declarations/inlines.h"

#include <utility>

#include "frontend/check/declarations/type_builder.h"
#include "frontend/check/expressions/expression_typer.h"
#include "frontend/check/expressions/translated_objects.h"
#include "frontend/check/name_table.h"
#include "frontend/check/pending_mistakes.h"
#include "frontend/check/typing_state.h"
#include "frontend/syntax/children.h"

namespace dscope {

namespace {

bool names_members(const Expr& expr) {
  if (std::holds_alternative<Member>(expr.form) || std::holds_alternative<Call>(expr.form) ||
      std::holds_alternative<Index>(expr.form))
    return true;
  bool found = false;
  for_each_child(const_cast<Expr&>(expr), [&](Expr*& child) { found |= names_members(*child); });
  return found;
}

}  // namespace

bool Inlines::check_name(const InlineDefinition& definition) {
  const Declarator& declarator = *definition.declarator;
  if (definition.specifiers->storage != StorageClass::None)
    fail(Tag::D_DECL_BADCLASS, declarator.at, "an inline may not have a storage class: {}", declarator.name);
  else if (declarator.name.empty()) fail(Tag::D_DECL_USELESS, declarator.at, "an inline must have a name");
  else if (declarator.name.find('`') != std::string::npos)
    fail(Tag::D_DECL_SCOPE, declarator.at, "a declared name may not contain scoping operators: {}", declarator.name);
  else if (names_.is_global_name(declarator.name))
    fail(Tag::D_DECL_IDRED, declarator.at, "identifier redeclared: {}", declarator.name);
  return !failed();
}

void Inlines::define(const InlineDefinition& definition) {
  const Declarator& declarator = *definition.declarator;
  auto base = type_builder_.type_of(*definition.specifiers);
  if (!base || !check_name(definition)) return;
  if (!declarator.parts.empty() && std::holds_alternative<ArrayPart>(declarator.parts.front())) {
    fail(Tag::D_DECL_ARRNULL, declarator.at, "an inline may not be an array: {}", declarator.name);
    return;
  }
  auto declared = type_builder_.declared_type(*base, declarator, definition.specifiers->is_userland, false);
  if (!declared || !type_builder_.check_object_type(declarator.at, declared->type)) return;
  Inline result{.name = declarator.name, .type = declared->type, .value = definition.value};
  // A library's inlines are stable unless a pragma of the library says otherwise, whatever names they use.
  if (context_.unit.kind == UnitKind::Library) result.attributes = Attributes{};
  if (declared->keys != nullptr) {
    const KeysPart& list = *declared->keys;
    auto types = type_builder_.parameter_types(list.keys, list.has_varargs, declarator.at, ParameterRules::Tuple);
    if (!types) return;
    result.has_parameters = true;
    result.parameter_types = std::move(*types);
    for (const Parameter& parameter : list.keys) result.parameter_names.push_back(parameter.declarator->name);
  }
  auto id = InlineId{static_cast<uint32_t>(semantics_.inlines.size())};
  semantics_.inlines.push_back(std::move(result));
  definitions_.push_back({.id = id, .definition = &definition, .unit = context_.unit});
  if (!is_typed_late(definition.declarator->at, *definition.value)) type(definitions_.back());
  if (failed()) return;
  // Defined last, because the value may not refer to the inline itself.
  names_.define(declarator.name, id);
}

// Inlines of our libraries that name members of kernel types are typed on first use: a script should neither pay for
// members that it does not name, nor fail because its kernel lacks them.
bool Inlines::is_typed_late(const Position& at, const Expr& value) const {
  SourceLocation location = diagnostics_.sources().locate(at.range.begin);
  bool is_library = diagnostics_.sources().unit(location.unit).kind == UnitKind::Library;
  return is_library && !context_.unit.rules.is_checked_at_once && names_members(value);
}

void Inlines::type(DefinedInline& defined) {
  Parameters parameters{.names = semantics_.inlines[defined.id.index].parameter_names,
                        .types = semantics_.inlines[defined.id.index].parameter_types,
                        .arguments = {}};
  ExprInfo found = type_definition(*defined.definition->value, &parameters);
  if (failed()) return;
  check_value(defined, found);
}

// Runs in the middle of another expression. definitions_ parallels semantics_.inlines, without the constants that the
// checker itself defines first.
void Inlines::type_on_use(InlineId id, const Expr& use) {
  size_t own = semantics_.inlines.size() - definitions_.size();
  if (id.index < own || definitions_[id.index - own].is_typed) return;
  DefinedInline& defined = definitions_[id.index - own];
  if (defined.is_being_typed) {
    fail(Tag::D_UNKNOWN, use.at, "inline {} uses itself", semantics_.inlines[id.index].name);
    return;
  }
  defined.is_being_typed = true;
  const Parameters* before = names_.exchange_parameters(nullptr);
  ExprInfo found = expressions_.check(*defined.definition->value);
  names_.exchange_parameters(before);
  defined.is_being_typed = false;
  if (!failed()) check_value(defined, found);
}

void Inlines::check_value(DefinedInline& defined, const ExprInfo& found) {
  defined.is_typed = true;
  if (is_error(found)) return;
  Inline& result = semantics_.inlines[defined.id.index];
  TypeId type = found.translated != nullptr ? translated_objects_.type_of(*found.translated) : found.type;
  bool is_good =
      found.translated != nullptr ? is_same_type(types_, result.type, type) : is_compatible_value(result.type, found);
  if (!is_good) {
    fail(Tag::D_OP_INCOMPAT, defined.definition->declarator->at, "inline {} of type {} cannot have a value of type {}",
         result.name, types_.spell(result.type), types_.spell(type));
    return;
  }
  if (found.constant && types_.is_integer(result.type)) result.constant = narrow(types_, result.type, *found.constant);
}

void Inlines::type_again() {
  for (size_t i = 0; i < definitions_.size() && !failed(); ++i) {
    if (!definitions_[i].is_typed) continue;
    context_.unit = definitions_[i].unit;
    type(definitions_[i]);
  }
}

// Types an expression of a definition, outside of clauses.
ExprInfo Inlines::type_definition(const Expr& value, const Parameters* parameters) {
  diagnostics_.set_phase(DiagnosticPhase::Parse);
  typing_.start();
  names_.exchange_parameters(parameters);
  ExprInfo found = expressions_.check(value);
  names_.exchange_parameters(nullptr);
  pending_.report_deferred(nullptr);
  pending_.report_unavailable();
  return found;
}

}  // namespace dscope
