// Names: what they stand for, and the variables that assignments create (d-language.md 5).
#include <algorithm>

#include "frontend/check/checker.h"
#include "support/check.h"
#include "support/word_list.h"

namespace dscope {

std::string Checker::spell(const Name& name) {
  switch (name.scope) {
    case VariableScope::Global: return name.name;
    case VariableScope::Self: return "self->" + name.name;
    case VariableScope::This: return "this->" + name.name;
  }
  DS_UNREACHABLE();
}

std::unordered_map<std::string, VariableId>& Checker::locals(VariableScope scope) {
  DS_CHECK(scope != VariableScope::Global);
  return scope == VariableScope::Self ? selves_ : thises_;
}

Checker::Meaning Checker::find_name(const Name& name) const {
  if (name.scope == VariableScope::Global) return find_global(name.name);
  const auto& names = name.scope == VariableScope::Self ? selves_ : thises_;
  auto found = names.find(name.name);
  if (found == names.end()) return {};
  return found->second;
}

Checker::Meaning Checker::find_global(const std::string& name) const {
  if (parameters_ != nullptr && !name.empty()) {
    auto found = std::find(parameters_->names.begin(), parameters_->names.end(), name);
    if (found != parameters_->names.end())
      return DefinitionParameter{static_cast<uint32_t>(found - parameters_->names.begin())};
  }
  if (auto found = globals_.find(name); found != globals_.end())
    return std::visit([](const auto& meaning) { return Meaning{meaning}; }, found->second);
  if (const VariableRow* variable = find_variable(name); variable && version_of(name) <= version_) return variable->id;
  if (auto index = find_raw_argument(name)) return RawArgument{*index};
  if (name == "args") return ArgsArray{};
  if (!std::holds_alternative<std::monostate>(lookup_function(name))) return FunctionName{};
  if (headers_ == nullptr) return {};
  // Last, because an enumerator of a header gives way to a name that D has taken.
  auto enumerator = headers_->find_enumerator(types_, name);
  if (!enumerator) return {};
  return EnumConstant{.type = enumerator->type, .value = enumerator->value};
}

bool Checker::is_global_name(const std::string& name) const {
  return !std::holds_alternative<std::monostate>(find_global(name));
}

// ---------------------------------------------------------------- names as expressions

ExprInfo Checker::check(const Expr& expr, const Name& form) {
  if (form.scope != VariableScope::Global && form.name.empty())
    return fail(Tag::D_IDENT_BADREF, expr.at, "{} must be followed by -> and the name of a variable",
                form.scope == VariableScope::Self ? "self" : "this");
  return meaning_of(expr, form, find_name(form));
}

ExprInfo Checker::meaning_of(const Expr& expr, const Name& name, const Meaning& meaning) {
  return std::visit(
      Overloaded{
          [&](std::monostate) {
            bool is_known = name.scope == VariableScope::Global && has_word("zonename B_FALSE B_TRUE", name.name);
            auto emulated = is_known ? find_solaris(name.name) : std::nullopt;
            return emulated ? inline_info(expr, *emulated) : undefined_name(expr, name);
          },
          [&](VariableId id) { return variable_info(expr, name, id); },
          [&](InlineId id) { return inline_info(expr, id); },
          [&](const EnumConstant& id) { return constant(id.type, static_cast<uint64_t>(id.value)); },
          [&](const DefinitionParameter& id) { return parameter_info(id); },
          [&](BuiltinVariable id) { return builtin_info(expr, id); },
          [&](RawArgument id) {
            ExprInfo result = value(*types_.find("int64_t"));
            result.binding = id;
            return result;
          },
          [&](ArgsArray) { return fail(Tag::D_IDENT_BADREF, expr.at, "args may only be used with an index: args[0]"); },
          [&](FunctionName) {
            return fail(Tag::D_IDENT_BADREF, expr.at, "{} is a function and must be called: {}( )", name.name,
                        name.name);
          }},
      meaning);
}

ExprInfo Checker::variable_info(const Expr& expr, const Name& name, VariableId id) {
  const Variable& variable = meaning_.variables[id.index];
  if (variable.is_associative)
    return fail(Tag::D_IDENT_BADREF, expr.at, "{} is an associative array and must be used with an index", spell(name));
  ExprInfo result = value(variable.type);
  result.binding = id;
  result.is_lvalue = result.is_writable = true;
  result.space = types_.is_pointer(variable.type) ? read_pointee(id) : Space::Storage;
  return result;
}

Space Checker::read_pointee(VariableId id) {
  pointee_read_[id.index] = true;
  const Variable& variable = meaning_.variables[id.index];
  const Type& type = types_.resolved(variable.type);
  if (type.kind == TypeKind::Pointer && type.is_userland) return Space::User;
  return variable.pointee;
}

ExprInfo Checker::inline_info(const Expr& expr, InlineId id) {
  const Inline& definition = meaning_.inlines[id.index];
  if (!definition.has_parameters) type_late(id, expr);
  if (failed()) return {};
  if (definition.has_parameters)
    return fail(Tag::D_IDENT_BADREF, expr.at, "{} is an inline with parameters and must be used with arguments: {}[ ]",
                definition.name, definition.name);
  if (definition.constant) {
    ExprInfo result = constant(definition.type, *definition.constant);
    result.binding = id;
    return result;
  }
  if (!fits(*definition.value, expr)) return {};
  ExprInfo found = info(*definition.value);
  bool is_alias = found.is_writable && is_same_type(types_, found.type, definition.type);
  ExprInfo result = is_alias ? alias_info(definition, found) : standing_for(*definition.value, definition.type);
  result.binding = id;
  return result;
}

// Another name for a variable, or a part of one, which may be assigned by it.
ExprInfo Checker::alias_info(const Inline& definition, const ExprInfo& found) {
  ExprInfo result = found;
  result.stands_for = definition.value;
  auto root = root_variable(*definition.value);
  if (root && types_.is_pointer(result.type)) result.space = read_pointee(*root);
  return result;
}

// In a use, the parameter is the argument. In the definition only its type is known; where a pointer points differs
// from use to use.
ExprInfo Checker::parameter_info(const DefinitionParameter& parameter) {
  TypeId type = parameters_->types[parameter.index];
  if (!parameters_->arguments.empty()) return standing_for(*parameters_->arguments[parameter.index], type);
  ExprInfo result = value(type);
  result.binding = parameter;
  bool is_object = types_.is_struct_or_union(type) || types_.resolved(type).kind == TypeKind::Array;
  if (is_object) result.is_lvalue = true;
  if (types_.is_pointer(type) || is_object)
    result.space = types_.is_pointer(type) && types_.resolved(type).is_userland ? Space::User : Space::Kernel;
  return result;
}

ExprInfo Checker::builtin_info(const Expr& expr, BuiltinVariable id) {
  const VariableRow& variable = row(id);
  if (variable.release != Release::Now) {
    if (auto emulated = find_solaris(std::string{variable.name})) return inline_info(expr, *emulated);
    not_available(expr.at, fmt::format("{} {}", variable.name, unavailable_text(variable.release)));
  }
  if (id == BuiltinVariable::Vtimestamp)
    if (auto finer = find_inline("__vtimestamp")) return inline_info(expr, *finer);
  if (id == BuiltinVariable::Uregs)
    return fail(Tag::D_IDENT_BADREF, expr.at, "uregs may only be used with an index: uregs[R_PC]");
  ExprInfo result =
      value(parse_type_text(variable.type, types_, [&](std::string_view name) { return catalogue_type(name); }));
  // The current task is the one kernel object whose members the verifier lets a program load directly.
  if (id == BuiltinVariable::Curthread) result.space = Space::Trusted;
  result.binding = id;
  return result;
}

ExprInfo Checker::undefined_name(const Expr& expr, const Name& name) {
  if (name.scope == VariableScope::Global)
    fail(Tag::D_IDENT_UNDEF, expr.at, "failed to resolve {}: Unknown variable name", spell(name));
  else fail(Tag::D_VAR_UNDEF, expr.at, "undefined variable name: {}", spell(name));
  suggest(name.name, names_like(name));
  return {};
}

std::vector<std::string_view> Checker::names_like(const Name& name) const {
  std::vector<std::string_view> names;
  if (name.scope == VariableScope::Global) {
    names = all_names();
    for (const auto& [global, meaning] : globals_) names.push_back(global);
  } else {
    for (const auto& [local, id] : name.scope == VariableScope::Self ? selves_ : thises_) names.push_back(local);
  }
  // The hint must not depend on the order of a hash table.
  std::sort(names.begin(), names.end());
  return names;
}

ExprInfo Checker::check(const Expr& expr, const AggregationRef& form) {
  auto found = aggregations_.find(form.name);
  if (found == aggregations_.end()) {
    fail(Tag::D_IDENT_UNDEF, expr.at, "undefined aggregation: @{}", form.name);
    std::vector<std::string_view> names;
    for (const Aggregation& aggregation : meaning_.aggregations) names.push_back(aggregation.name);
    suggest(form.name, names);
    return {};
  }
  ExprInfo result = value(types_.dynamic_type());
  result.binding = found->second;
  return result;
}

// ---------------------------------------------------------------- kernel symbols

// What the D library has for a name of Solaris.
std::optional<InlineId> Checker::find_solaris(const std::string& name) const {
  return is_solaris_mode() ? find_inline("__solaris_" + name) : std::nullopt;
}

std::optional<InlineId> Checker::find_inline(const std::string& name) const {
  auto found = globals_.find(name);
  if (found == globals_.end()) return std::nullopt;
  const auto* id = std::get_if<InlineId>(&found->second);
  return id == nullptr ? std::nullopt : std::optional{*id};
}

ExprInfo Checker::check(const Expr& expr, const SymbolRef& form) {
  if (form.is_user)
    return fail(Tag::D_SYM_BADREF, expr.at, "user-space symbol {}``{} may not be used in a D expression", form.object,
                form.name);
  if (auto emulated = find_solaris(form.name)) return inline_info(expr, *emulated);
  auto symbol = host_.find_symbol(types_, form.object, form.name);
  bool may_be_unknown = unit_rules_.allows_unknown_symbols.value_or(options_.is_on(OptionId::Knodefs));
  // What the D library has in place of variables whose addresses, or types, the kernel does not tell.
  if (!symbol || (!symbol->type && addressed_ != &expr))
    if (auto given = find_inline("__kernel_" + form.name)) return inline_info(expr, *given);
  if (!symbol && may_be_unknown) symbol = KernelSymbol{};
  if (!symbol) {
    fail(Tag::D_IDENT_UNDEF, expr.at, "failed to resolve {}`{}: Unknown symbol name", form.object, form.name);
    bool is_of_process = form.object.starts_with("pid") && form.object.find_first_of("0123456789") == 3;
    if (is_of_process)
      diagnostics_.hint(
          "variables of a process are read by their addresses, which nm(1) tells: *(int *)copyin(ADDRESS, 4)");
    else if (!has_alternative_) hint_at_symbol(form.name);
    return {};
  }
  // Binding as late as possible leaves the address open, which only knodefs allows.
  if (options_.text(OptionId::Linkmode) == "dynamic" && !may_be_unknown)
    defer(Tag::D_ASRELO, expr.at,
          fmt::format("kernel symbol {}`{} is left unresolved by linkmode dynamic, which needs knodefs", form.object,
                      form.name));
  TypeId type = symbol->type.value_or(*types_.find("uintptr_t"));
  if (auto declared = extern_types_.find(form.name); declared != extern_types_.end()) type = declared->second;
  ExprInfo result = value(type);
  result.is_lvalue = true;
  result.space = types_.is_pointer(type) && types_.resolved(type).is_userland ? Space::User : Space::Kernel;
  result.binding = SymbolAddress{symbol->address};
  return result;
}

void Checker::hint_at_symbol(const std::string& name) {
  // Looks at all the symbols of the kernel.
  std::string near = host_.nearest_symbol(name);
  if (!near.empty() && near != name) return diagnostics_.hint(fmt::format("did you mean the symbol `{}`?", near));
  hint_at_variables();
}

void Checker::hint_at_variables() {
  if (!host_.find_symbol(types_, "", "jiffies"))
    diagnostics_.hint("this kernel names its functions only: its variables need CONFIG_KALLSYMS_ALL");
}

// What the D library has in place of a variable is a value.
ExprInfo Checker::fail_without_address(const Expr& expr, const SymbolRef& form) {
  fail(Tag::D_ADDROF_LVAL, expr.at, "cannot take the address of {}`{}, of which only the value is known", form.object,
       form.name);
  if (!find_solaris(form.name)) hint_at_variables();
  return {};
}

// ---------------------------------------------------------------- new variables

VariableId Checker::add_variable(Variable variable) {
  auto id = VariableId{static_cast<uint32_t>(meaning_.variables.size())};
  if (variable.scope == VariableScope::Global) globals_[variable.name] = id;
  else locals(variable.scope)[variable.name] = id;
  meaning_.variables.push_back(std::move(variable));
  pointee_read_.push_back(false);
  return id;
}

bool Checker::create_variable(const Expr& expr, const Name& name, TypeId type) {
  if (name.name.find('`') != std::string::npos) {
    fail(Tag::D_IDENT_UNDEF, expr.at, "failed to resolve {}: Unknown variable name", spell(name));
    return false;
  }
  add_variable({.name = name.name, .scope = name.scope, .type = type});
  return true;
}

}  // namespace dscope
