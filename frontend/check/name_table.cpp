#include "frontend/check/name_table.h"

#include <algorithm>

#include "arch/architecture.h"
#include "support/check.h"

namespace dscope {

std::string spell_name(const Name& name) {
  switch (name.scope) {
    case VariableScope::Global: return name.name;
    case VariableScope::Self: return "self->" + name.name;
    case VariableScope::This: return "this->" + name.name;
    case VariableScope::Traced: return "$" + name.name;
  }
  DS_UNREACHABLE();
}

// ---------------------------------------------------------------- lookup

ResolvedName NameTable::find(const Name& name) const {
  if (name.scope == VariableScope::Global) return find_global(name.name);
  if (name.scope == VariableScope::Traced) return TracedVariableName{};
  const LocalNames& names = name.scope == VariableScope::Self ? thread_locals_ : clause_locals_;
  auto found = names.find(name.name);
  if (found == names.end()) return {};
  return found->second;
}

ResolvedName NameTable::find_global(const std::string& name) const {
  if (parameters_ != nullptr && !name.empty()) {
    auto found = std::find(parameters_->names.begin(), parameters_->names.end(), name);
    if (found != parameters_->names.end())
      return DefinitionParameter{static_cast<uint32_t>(found - parameters_->names.begin())};
  }
  if (const GlobalName* found = find_definition(name))
    return std::visit([](const auto& meaning) { return ResolvedName{meaning}; }, *found);
  if (is_hidden_addition(name)) return {};
  if (const VariableRow* variable = find_variable(name); variable && version_of(name) <= context_.version)
    return variable->id;
  if (auto index = find_raw_argument(name)) return RawArgument{*index};
  if (name == "args") return ArgsArray{};
  if (!std::holds_alternative<std::monostate>(find_callee(name))) return FunctionName{};
  if (auto constant = architecture_constant(architecture_of(host_.facts()), name))
    return EnumConstant{.type = types_.int_type(), .value = *constant};
  if (context_.unit.headers == nullptr) return {};
  // Last, because D's own names hide the enumerators of headers.
  auto enumerator = context_.unit.headers->find_enumerator(types_, name);
  if (!enumerator) return {};
  return EnumConstant{.type = enumerator->type, .value = enumerator->value};
}

// Scripts of other systems may have variables with names that only dscope gives a meaning, such as `image`.
bool NameTable::is_hidden_addition(const std::string& name) const {
  return context_.unit.created_globals.contains(name) && version_of(name) == latest_version;
}

bool NameTable::is_global_name(const std::string& name) const {
  return !std::holds_alternative<std::monostate>(find_global(name));
}

const GlobalName* NameTable::find_definition(const std::string& name) const {
  auto found = globals_.find(name);
  return found == globals_.end() ? nullptr : &found->second;
}

std::optional<InlineId> NameTable::find_inline(const std::string& name) const {
  const GlobalName* found = find_definition(name);
  const auto* id = found == nullptr ? nullptr : std::get_if<InlineId>(found);
  return id == nullptr ? std::nullopt : std::optional{*id};
}

std::optional<InlineId> NameTable::find_emulated(const std::string& name) const {
  return dialect().emulates_solaris_names() ? find_inline(Dialect::emulated_name(name)) : std::nullopt;
}

std::optional<AggregationId> NameTable::find_aggregation(const std::string& name) const {
  auto found = aggregations_.find(name);
  return found == aggregations_.end() ? std::nullopt : std::optional{found->second};
}

std::optional<TypeId> NameTable::find_extern_type(const std::string& name) const {
  auto found = externs_.find(name);
  return found == externs_.end() ? std::nullopt : std::optional{found->second};
}

Callee NameTable::find_callee(std::string_view name) const {
  if (version_of(name) > context_.version) return {};
  if (const SubroutineRow* subroutine = find_subroutine(name)) return subroutine->id;
  if (const ActionRow* action = dscope::find_action(name)) return action->id;
  if (const AggregationRow* aggregation = dscope::find_aggregation(name)) return aggregation->id;
  return {};
}

std::vector<std::string_view> NameTable::similar_names(const Name& name) const {
  std::vector<std::string_view> names;
  if (name.scope == VariableScope::Global) {
    names = all_names();
    for (const auto& [global, meaning] : globals_) names.push_back(global);
  } else {
    const LocalNames& locals = name.scope == VariableScope::Self ? thread_locals_ : clause_locals_;
    for (const auto& [local, id] : locals) names.push_back(local);
  }
  // The hint must not depend on the order of a hash table.
  std::sort(names.begin(), names.end());
  return names;
}

// ---------------------------------------------------------------- definition

InlineId NameTable::define_constant(std::string name, TypeId type, uint64_t number) {
  auto id = InlineId{static_cast<uint32_t>(semantics_.inlines.size())};
  globals_[name] = id;
  semantics_.inlines.push_back({.name = std::move(name), .type = type, .constant = number});
  return id;
}

NameTable::LocalNames& NameTable::locals(VariableScope scope) {
  DS_CHECK(scope != VariableScope::Global);
  return scope == VariableScope::Self ? thread_locals_ : clause_locals_;
}

VariableId NameTable::add_variable(Variable variable) {
  auto id = VariableId{static_cast<uint32_t>(semantics_.variables.size())};
  if (variable.scope == VariableScope::Global) globals_[variable.name] = id;
  else locals(variable.scope)[variable.name] = id;
  semantics_.variables.push_back(std::move(variable));
  return id;
}

bool NameTable::create_variable(const Expr& expr, const Name& name, TypeId type) {
  if (name.name.find('`') != std::string::npos) {
    fail(Tag::D_IDENT_UNDEF, expr.at, "failed to resolve {}: Unknown variable name", spell_name(name));
    return false;
  }
  add_variable({.name = name.name, .scope = name.scope, .type = type});
  return true;
}

AggregationId NameTable::add_aggregation(Aggregation aggregation) {
  auto id = AggregationId{static_cast<uint32_t>(semantics_.aggregations.size())};
  aggregations_[aggregation.name] = id;
  semantics_.aggregations.push_back(std::move(aggregation));
  return id;
}

void NameTable::roll_back(const Mark& mark) {
  for (; semantics_.variables.size() > mark.variables; semantics_.variables.pop_back()) {
    const Variable& variable = semantics_.variables.back();
    if (variable.scope == VariableScope::Global) globals_.erase(variable.name);
    else locals(variable.scope).erase(variable.name);
  }
  for (; semantics_.aggregations.size() > mark.aggregations; semantics_.aggregations.pop_back())
    aggregations_.erase(semantics_.aggregations.back().name);
}

}  // namespace dscope
