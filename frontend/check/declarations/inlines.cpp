// Inlines (d-language.md 2.4): constants, expressions, other names for variables, and expressions with parameters.
#include "frontend/check/checker.h"

namespace dscope {

bool Checker::check_inline_name(const InlineDefinition& definition) {
  const Declarator& declarator = *definition.declarator;
  if (definition.specifiers->storage != StorageClass::None)
    fail(Tag::D_DECL_BADCLASS, declarator.at, "an inline may not have a storage class: {}", declarator.name);
  else if (declarator.name.empty()) fail(Tag::D_DECL_USELESS, declarator.at, "an inline must have a name");
  else if (declarator.name.find('`') != std::string::npos)
    fail(Tag::D_DECL_SCOPE, declarator.at, "a declared name may not contain scoping marks: {}", declarator.name);
  else if (is_global_name(declarator.name))
    fail(Tag::D_DECL_IDRED, declarator.at, "identifier redeclared: {}", declarator.name);
  return !failed();
}

void Checker::define_inline(const InlineDefinition& definition) {
  const Declarator& declarator = *definition.declarator;
  auto base = type_of(*definition.specifiers);
  if (!base || !check_inline_name(definition)) return;
  if (!declarator.parts.empty() && std::holds_alternative<ArrayPart>(declarator.parts.front())) {
    fail(Tag::D_DECL_ARRNULL, declarator.at, "an inline may not be an array: {}", declarator.name);
    return;
  }
  auto declared = declared_type(*base, declarator, definition.specifiers->is_userland, false);
  if (!declared || !check_object_type(declarator.at, declared->type)) return;
  Inline result{.name = declarator.name, .type = declared->type, .value = definition.value};
  // What a library is made of is its own affair; it says so where it is not stable.
  if (unit_kind_ == UnitKind::Library) result.attributes = Attributes{};
  if (declared->keys != nullptr) {
    const KeysPart& list = *declared->keys;
    auto types = parameter_types(list.keys, list.has_varargs, declarator.at, ParameterRules::Tuple);
    if (!types) return;
    result.has_parameters = true;
    result.parameter_types = std::move(*types);
    for (const Parameter& parameter : list.keys) result.parameter_names.push_back(parameter.declarator->name);
  }
  auto id = InlineId{static_cast<uint32_t>(meaning_.inlines.size())};
  meaning_.inlines.push_back(std::move(result));
  inline_definitions_.push_back({.id = id, .definition = &definition, .unit = unit_meaning()});
  if (!is_typed_late(definition.declarator->at, *definition.value)) type_inline(inline_definitions_.back());
  if (failed()) return;
  // Only now: the value may not refer to the inline itself.
  globals_[declarator.name] = id;
}

// What a library of ours defines by members of kernel types is typed where it is used: a script should neither pay for
// members that it does not name, nor fail for those that its kernel does not have.
bool Checker::is_typed_late(const Position& at, const Expr& value) const {
  SourceLocation place = diagnostics_.sources().locate(at.range.begin);
  bool is_library = diagnostics_.sources().unit(place.unit).kind == UnitKind::Library;
  return is_library && !unit_rules_.is_checked_at_once && names_members(value);
}

bool Checker::names_members(const Expr& expr) {
  if (std::holds_alternative<Member>(expr.form) || std::holds_alternative<Call>(expr.form) ||
      std::holds_alternative<Index>(expr.form))
    return true;
  bool found = false;
  for_each_child(const_cast<Expr&>(expr), [&](Expr*& child) { found |= names_members(*child); });
  return found;
}

void Checker::type_inline(DefinedInline& defined) {
  Parameters parameters{.names = meaning_.inlines[defined.id.index].parameter_names,
                        .types = meaning_.inlines[defined.id.index].parameter_types,
                        .arguments = {}};
  ExprInfo found = type_definition(*defined.definition->value, &parameters);
  if (failed()) return;
  check_inline_value(defined, found);
}

// In the middle of another expression. Definitions are numbered as inlines are, but for the first of those, which come
// with the checker.
void Checker::type_late(InlineId id, const Expr& use) {
  size_t own = meaning_.inlines.size() - inline_definitions_.size();
  if (id.index < own || inline_definitions_[id.index - own].is_typed) return;
  DefinedInline& defined = inline_definitions_[id.index - own];
  if (defined.is_being_typed) {
    fail(Tag::D_UNKNOWN, use.at, "inline {} uses itself", meaning_.inlines[id.index].name);
    return;
  }
  defined.is_being_typed = true;
  const Parameters* before = std::exchange(parameters_, nullptr);
  ExprInfo found = check(*defined.definition->value);
  parameters_ = before;
  defined.is_being_typed = false;
  if (!failed()) check_inline_value(defined, found);
}

void Checker::check_inline_value(DefinedInline& defined, const ExprInfo& found) {
  defined.is_typed = true;
  if (is_error(found)) return;
  Inline& result = meaning_.inlines[defined.id.index];
  TypeId type = found.translated != nullptr ? type_of_object(*found.translated) : found.type;
  bool is_good =
      found.translated != nullptr ? is_same_type(types_, result.type, type) : is_compatible_value(result.type, found);
  if (!is_good) {
    fail(Tag::D_OP_INCOMPAT, defined.definition->declarator->at, "inline {} of type {} cannot have a value of type {}",
         result.name, types_.spell(result.type), types_.spell(type));
    return;
  }
  if (found.constant && types_.is_integer(result.type)) result.constant = narrow(types_, result.type, *found.constant);
}

// An expression outside of clauses, as part of a definition.
ExprInfo Checker::type_definition(const Expr& value, const Parameters* parameters) {
  diagnostics_.set_phase(DiagnosticPhase::Parse);
  start_typing();
  parameters_ = parameters;
  ExprInfo found = check(value);
  parameters_ = nullptr;
  report_deferred(nullptr);
  report_unavailable();
  return found;
}

}  // namespace dscope
