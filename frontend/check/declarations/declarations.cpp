// Declarations: variables, typedefs, external symbols, and the types that declarators build (d-language.md 2.2).
#include <algorithm>
#include <limits>

#include "frontend/check/checker.h"
#include "support/check.h"

namespace dscope {

void Checker::declare(const Declaration& declaration) {
  auto base = type_of(*declaration.specifiers);
  if (!base) return;
  bool has_tag = std::holds_alternative<TagSpecifier>(declaration.specifiers->type);
  if (declaration.declarators.empty() && !has_tag) {
    fail(Tag::D_DECL_USELESS, declaration.specifiers->at, "declaration declares nothing");
    return;
  }
  for (const Declarator* declarator : declaration.declarators) {
    declare_name(*declaration.specifiers, *base, *declarator);
    if (failed()) return;
  }
}

void Checker::declare_name(const DeclSpecifiers& specifiers, TypeId base, const Declarator& declarator) {
  if (declarator.name.find('`') != std::string::npos) {
    fail(Tag::D_DECL_SCOPE, declarator.at, "a declared name may not contain scoping marks: {}", declarator.name);
    return;
  }
  if (declarator.name.empty()) {
    fail(Tag::D_DECL_USELESS, declarator.at, "declaration declares nothing");
    return;
  }
  bool is_extern = specifiers.storage == StorageClass::Extern;
  auto declared = declared_type(base, declarator, specifiers.is_userland, is_extern);
  if (!declared) return;
  if (specifiers.storage == StorageClass::Typedef) {
    if (declared->keys != nullptr)
      fail(Tag::D_DECL_DYNOBJ, declarator.at, "typedef {} may not name an associative array", declarator.name);
    else declare_typedef(declarator, declared->type);
  } else if (is_extern || is_function(types_, declared->type)) {
    declare_extern(declarator, declared->type);
  } else {
    declare_variable(specifiers, declarator, *declared);
  }
}

void Checker::declare_typedef(const Declarator& declarator, TypeId type) {
  auto known = find_own_type(declarator.name);
  // C lets a typedef be repeated, and its names do not know of those of D.
  if (known && in_header_ && is_same_type(types_, *known, type)) return;
  if (known || (is_global_name(declarator.name) && !in_header_)) {
    fail(Tag::D_DECL_IDRED, declarator.at, "identifier redeclared: {}", declarator.name);
    return;
  }
  define_own_type(
      declarator.name,
      types_.add({.kind = TypeKind::Typedef, .name = declarator.name, .size = types_.size_of(type), .base = type}));
}

// The type of a kernel symbol; makes neither a variable nor a function.
void Checker::declare_extern(const Declarator& declarator, TypeId type) {
  auto [known, is_new] = extern_types_.try_emplace(declarator.name, type);
  bool is_conflict = !is_new && !is_same_type(types_, known->second, type);
  if (is_conflict || globals_.contains(declarator.name))
    fail(Tag::D_DECL_IDRED, declarator.at, "identifier redeclared: {}", declarator.name);
}

bool Checker::is_same_variable(const Variable& a, const Variable& b) const {
  auto same = [&](TypeId x, TypeId y) { return is_same_type(types_, x, y); };
  return same(a.type, b.type) && a.is_associative == b.is_associative &&
         std::equal(a.keys.begin(), a.keys.end(), b.keys.begin(), b.keys.end(), same);
}

// The verifier lets programs reach so far into a map (BPF_MAX_VAR_OFF, 2^29).
constexpr uint64_t max_declared_bytes = uint64_t{1} << 28;

void Checker::declare_variable(const DeclSpecifiers& specifiers, const Declarator& declarator,
                               const DeclaredType& declared) {
  Variable variable{.name = declarator.name, .type = declared.type, .is_explicit = true};
  switch (specifiers.storage) {
    case StorageClass::Self: variable.scope = VariableScope::Self; break;
    case StorageClass::This: variable.scope = VariableScope::This; break;
    case StorageClass::Auto:
    case StorageClass::Register:
    case StorageClass::Static:
      fail(Tag::D_DECL_BADCLASS, declarator.at, "storage class has no meaning in D: {}", declarator.name);
      return;
    case StorageClass::None:
    case StorageClass::Extern:
    case StorageClass::Typedef: break;
  }
  if (!check_object_type(declarator.at, declared.type)) return;
  if (declared.keys != nullptr) {
    if (variable.scope == VariableScope::This) {
      fail(Tag::D_DECL_LOCASSC, declarator.at, "clause-local variable may not be an associative array: {}",
           declarator.name);
      return;
    }
    auto keys = parameter_types(declared.keys->keys, declared.keys->has_varargs, declarator.at, ParameterRules::Tuple);
    if (!keys) return;
    variable.is_associative = true;
    variable.keys = std::move(*keys);
  }
  Meaning known = find_name(Name{.scope = variable.scope, .name = variable.name});
  bool is_type =
      variable.scope == VariableScope::Global && (find_header_type(variable.name) || types_.find(variable.name));
  if (std::holds_alternative<std::monostate>(known) && !is_type) {
    declared_bytes_ += size_of(declared.type);
    if (declared_bytes_ > max_declared_bytes) {
      fail(Tag::D_DECL_ARRBIG, declarator.at, "variables take more than {} bytes with {}", max_declared_bytes,
           declarator.name);
      return;
    }
    add_variable(std::move(variable));
    return;
  }
  const auto* id = std::get_if<VariableId>(&known);
  if (id == nullptr || !is_same_variable(meaning_.variables[id->index], variable))
    fail(Tag::D_DECL_IDRED, declarator.at, "identifier redeclared: {}", declarator.name);
}

// What a variable or member can be made of.
bool Checker::check_object_type(const Position& at, TypeId type) {
  TypeId object = type;
  while (types_.resolved(object).kind == TypeKind::Array) object = types_.resolved(object).base;
  switch (types_.get(complete(object)).kind) {
    case TypeKind::Void:
    case TypeKind::Function:
      fail(Tag::D_DECL_VOIDOBJ, at, "an object may not have type {}", types_.spell(type));
      return false;
    case TypeKind::Forward:
      fail(Tag::D_DECL_INCOMPLETE, at, "an object may not have incomplete type {}", types_.spell(type));
      suggest_type(type);
      return false;
    case TypeKind::Dynamic:
    case TypeKind::Stack:
    case TypeKind::SymAddr:
    case TypeKind::UsymAddr:
      fail(Tag::D_DECL_DYNOBJ, at, "an object may not have type {}", types_.spell(type));
      return false;
    case TypeKind::Error:
    case TypeKind::Integer:
    case TypeKind::Float:
    case TypeKind::Pointer:
    case TypeKind::Array:
    case TypeKind::Struct:
    case TypeKind::Union:
    case TypeKind::Enum:
    case TypeKind::Typedef:
    case TypeKind::String: return true;
  }
  DS_UNREACHABLE();
}

// ---------------------------------------------------------------- declarators

std::optional<TypeId> Checker::type_of(const TypeName& name) {
  // A struct defined inside a cast is defined once, however often the clause is typed.
  if (auto known = type_names_.find(&name); known != type_names_.end()) return known->second;
  auto base = type_of(*name.specifiers);
  if (!base) return std::nullopt;
  auto declared = declared_type(*base, *name.declarator, name.specifiers->is_userland, false);
  if (!declared) return std::nullopt;
  if (declared->keys != nullptr) {
    fail(Tag::D_DECL_DYNOBJ, name.at, "a type name may not be an associative array");
    return std::nullopt;
  }
  type_names_[&name] = declared->type;
  return declared->type;
}

std::optional<Checker::DeclaredType> Checker::declared_type(TypeId base, const Declarator& declarator, bool is_userland,
                                                            bool may_lack_size) {
  DeclaredType result{.type = base};
  // Parts are listed from the name outwards: the last one is applied to the base type first.
  for (size_t i = declarator.parts.size(); i-- > 0;) {
    const auto& part = declarator.parts[i];
    if (std::holds_alternative<PointerPart>(part)) {
      result.type = types_.declared_pointer_to(result.type, is_userland);
      continue;
    }
    std::optional<TypeId> type;
    if (const auto* array = std::get_if<ArrayPart>(&part)) {
      type = array_type(result.type, declarator, *array, may_lack_size && i == 0);
    } else if (const auto* function = std::get_if<FunctionPart>(&part)) {
      type = function_type(result.type, *function);
    } else if (i == 0) {
      result.keys = &std::get<KeysPart>(part);
      type = result.type;
    } else {
      fail(Tag::D_DECL_DYNOBJ, declarator.at, "array or pointer may not be made of associative arrays: {}",
           declarator.name);
    }
    if (!type) return std::nullopt;
    result.type = *type;
  }
  return result;
}

std::optional<TypeId> Checker::array_type(TypeId base, const Declarator& declarator, const ArrayPart& part,
                                          bool may_lack_size) {
  TypeKind kind = types_.resolved(base).kind;
  if (kind == TypeKind::Void || kind == TypeKind::Function) {
    fail(Tag::D_DECL_VOIDOBJ, declarator.at, "an array may not have elements of type {}", types_.spell(base));
    return std::nullopt;
  }
  if (part.size == nullptr) {
    if (may_lack_size) return types_.array_of(base, 0);
    fail(Tag::D_DECL_ARRNULL, declarator.at, "array needs a dimension: {}", declarator.name);
    return std::nullopt;
  }
  ExprInfo size = check(*part.size);
  if (failed()) return std::nullopt;
  bool is_negative = size.constant && types_.is_signed_integer(size.type) && static_cast<int64_t>(*size.constant) < 0;
  if (!size.constant || !types_.is_integer(size.type) || is_negative || *size.constant == 0) {
    fail(Tag::D_DECL_ARRSUB, declarator.at, "array dimension must be a positive integer constant: {}", declarator.name);
    return std::nullopt;
  }
  if (*size.constant > std::numeric_limits<uint32_t>::max()) {
    fail(Tag::D_DECL_ARRBIG, declarator.at, "array dimension is too large: {}", declarator.name);
    return std::nullopt;
  }
  return types_.array_of(base, static_cast<uint32_t>(*size.constant));
}

std::optional<TypeId> Checker::function_type(TypeId result, const FunctionPart& part) {
  Position at = part.parameters.empty() ? Position{} : part.parameters.front().at;
  auto parameters = parameter_types(part.parameters, part.has_varargs, at, ParameterRules::Function);
  if (!parameters) return std::nullopt;
  return types_.add({.kind = TypeKind::Function,
                     .base = result,
                     .parameters = std::move(*parameters),
                     .has_varargs = part.has_varargs});
}

// ---------------------------------------------------------------- parameters and keys

std::optional<std::vector<TypeId>> Checker::parameter_types(const std::vector<Parameter>& parameters, bool has_varargs,
                                                            const Position& at, ParameterRules rules) {
  if (has_varargs && rules != ParameterRules::Function) {
    fail(Tag::D_DECL_PROTO_VARARGS, at, "a list of {} may not end in ...",
         rules == ParameterRules::Tuple ? "array keys" : "probe arguments");
    return std::nullopt;
  }
  std::vector<TypeId> result;
  std::unordered_set<std::string> names;
  for (const Parameter& parameter : parameters) {
    auto base = type_of(*parameter.specifiers);
    if (!base) return std::nullopt;
    bool is_function = rules != ParameterRules::Tuple;
    auto declared = declared_type(*base, *parameter.declarator, parameter.specifiers->is_userland, is_function);
    if (!declared) return std::nullopt;
    // As in C, an array is passed as the address of its first element.
    if (const Type& type = types_.get(declared->type); is_function && type.kind == TypeKind::Array)
      declared->type = types_.pointer_to(type.base, parameter.specifiers->is_userland);
    if (declared->keys != nullptr || types_.resolved(declared->type).kind == TypeKind::Dynamic) {
      fail(Tag::D_DECL_PROTO_TYPE, parameter.at, "a parameter may not be an associative array");
      return std::nullopt;
    }
    if (!check_parameter(parameter, declared->type, parameters.size() == 1, rules)) return std::nullopt;
    const std::string& name = parameter.declarator->name;
    // A translated view may show one argument in several forms.
    if (!name.empty() && rules != ParameterRules::ProbeOutput && !names.insert(name).second) {
      fail(Tag::D_DECL_PROTO_FORM, parameter.at, "parameter name is used twice: {}", name);
      return std::nullopt;
    }
    if (!is_void(types_, declared->type)) result.push_back(declared->type);
  }
  return result;
}

bool Checker::check_parameter(const Parameter& parameter, TypeId type, bool is_only, ParameterRules rules) {
  StorageClass storage = parameter.specifiers->storage;
  if (storage != StorageClass::None && storage != StorageClass::Register) {
    fail(Tag::D_DECL_PARMCLASS, parameter.at, "a parameter may not have a storage class other than register");
    return false;
  }
  bool is_named = !parameter.declarator->name.empty();
  if (!is_void(types_, type)) {
    if (is_named || rules != ParameterRules::ProbeOutput) return true;
    fail(Tag::D_DECL_PROTO_NAME, parameter.at, "a parameter of a translated argument list must have a name");
    return false;
  }
  if (rules == ParameterRules::Tuple) fail(Tag::D_DECL_PROTO_TYPE, parameter.at, "an array key may not be void");
  else if (!is_only) fail(Tag::D_DECL_PROTO_VOID, parameter.at, "void must be the only parameter");
  else if (is_named)
    fail(Tag::D_DECL_PROTO_NAME, parameter.at, "a void parameter may not have a name: {}", parameter.declarator->name);
  return !failed();
}

}  // namespace dscope
