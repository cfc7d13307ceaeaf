#include "frontend/check/expressions/stability_rules.h"

#include "contract/probe_part.h"
#include "frontend/syntax/children.h"

namespace dscope {

namespace {

constexpr Attributes stable{};
constexpr Attributes kernel_object{Stability::Private, Stability::Private, DependencyClass::Unknown};
constexpr Attributes current_thread{Stability::Stable, Stability::Private, DependencyClass::Common};

// Whether `type` is a struct, union or enum of the kernel, or points to one.
bool is_kernel_type(const TypeTable& types, TypeId type) {
  while (types.is_pointer(type)) type = types.resolved(type).base;
  TypeKind kind = types.resolved(type).kind;
  bool is_tagged = types.is_struct_or_union(type) || kind == TypeKind::Enum || kind == TypeKind::Forward;
  return is_tagged && types.resolved(type).origin != 0;
}

}  // namespace

// The attributes of the provider that the current description names; those of an unknown provider if it names none.
ProviderAttributes StabilityRules::bound_provider() const {
  return host_.provider_attributes(context_.instance->bound_to().provider);
}

Attributes StabilityRules::builtin_attributes(BuiltinVariable id) const {
  if (id == BuiltinVariable::Curthread) return current_thread;
  if (context_.instance == nullptr) return stable;
  auto part = probe_part(id);
  return part ? member_of(bound_provider(), *part) : stable;
}

// A member of a translated object relies on the names in its translator's expression. Translators of libraries count as
// stable.
Attributes StabilityRules::translated_attributes(const TranslatedObject& object, const ExprInfo& member) const {
  const TypeName& output = *semantics_.translators[object.translator].definition->output;
  UnitId unit = diagnostics_.sources().locate(output.at.range.begin).unit;
  bool is_of_library = diagnostics_.sources().unit(unit).kind == UnitKind::Library;
  return is_of_library || member.stands_for == nullptr ? stable : info(*member.stands_for).attributes;
}

// The attributes of the name in the node itself.
Attributes StabilityRules::own_attributes(const Expr& expr, const ExprInfo& info) const {
  if (const auto* id = std::get_if<BuiltinVariable>(&info.binding)) return builtin_attributes(*id);
  if (const auto* id = std::get_if<VariableId>(&info.binding)) return semantics_.variables[id->index].attributes;
  if (const auto* id = std::get_if<InlineId>(&info.binding)) {
    const Inline& definition = semantics_.inlines[id->index];
    const Expr* value = info.stands_for != nullptr ? info.stands_for : definition.value;
    bool has_own = definition.attributes || value == nullptr;
    return has_own ? definition.attributes.value_or(stable) : this->info(*value).attributes;
  }
  if (std::holds_alternative<SymbolAddress>(info.binding)) return kernel_object;
  if (std::holds_alternative<TracedName>(info.binding)) return bound_provider().args;
  // args[n], translated or not.
  const auto* index = std::get_if<Index>(&expr.form);
  if (index != nullptr && std::holds_alternative<ArgsArray>(this->info(*index->base).binding))
    return bound_provider().args;
  if (const auto* member = std::get_if<Member>(&expr.form)) {
    ExprInfo base = this->info(*member->base);
    if (base.translated != nullptr) return translated_attributes(*base.translated, info);
    return is_kernel_type(types_, base.type) ? kernel_object : stable;
  }
  if (std::holds_alternative<Cast>(expr.form)) return is_kernel_type(types_, info.type) ? kernel_object : stable;
  return stable;
}

// The branch of a ?: that a constant condition excludes; null if there is none.
const Expr* StabilityRules::dead_branch(const Expr& expr) const {
  const auto* ternary = std::get_if<Ternary>(&expr.form);
  if (ternary == nullptr) return nullptr;
  auto condition = info(*ternary->condition).constant;
  if (!condition) return nullptr;
  return *condition != 0 ? ternary->else_value : ternary->then_value;
}

Attributes StabilityRules::attributes_of(const Expr& expr, const ExprInfo& info) const {
  Attributes lowest = own_attributes(expr, info);
  const Expr* dead = dead_branch(expr);
  for_each_child(expr.form, [&](const Expr* child) {
    ExprInfo below = this->info(*child);
    if (below.is_checked && child != dead) lowest = minimum(lowest, below.attributes);
  });
  return lowest;
}

void StabilityRules::require(const Expr& expr, const Attributes& attributes) {
  if (!minimum_ || context_.instance == nullptr || context_.unit.kind == UnitKind::Library || failed()) return;
  // Nodes of inlines and translators count at their use.
  if (!context_.instance->clause->contains(expr.id) || satisfies(attributes, *minimum_)) return;
  fail(Tag::D_ATTR_MIN, expr.at, "attributes of {} are {}, less than the minimum {}",
       diagnostics_.sources().text(expr.at.range), to_string(attributes), to_string(*minimum_));
}

void StabilityRules::require(const ProbeSpecifier& specifier, const ClauseInstance& instance) {
  if (!minimum_ || context_.unit.kind == UnitKind::Library) return;
  Attributes attributes = description_attributes(host_, instance.bound_to());
  if (!satisfies(attributes, *minimum_))
    fail(Tag::D_ATTR_MIN, specifier.at, "attributes of probe description {} are {}, less than the minimum {}",
         instance.description, to_string(attributes), to_string(*minimum_));
}

}  // namespace dscope
