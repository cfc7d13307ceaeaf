#include "frontend/check/declarations/type_builder.h"

#include <algorithm>
#include <limits>

#include "frontend/check/declarations/tag_definer.h"
#include "frontend/check/declarations/type_finder.h"
#include "frontend/check/expressions/expression_typer.h"
#include "support/check.h"

namespace dscope {

// Whether a variable or member may have this type; reports an error if not.
bool TypeBuilder::check_object_type(const Position& at, TypeId type) {
  TypeId object = type;
  while (types_.resolved(object).kind == TypeKind::Array) object = types_.resolved(object).base;
  switch (types_.get(type_finder_.complete(object)).kind) {
    case TypeKind::Void:
    case TypeKind::Function:
      fail(Tag::D_DECL_VOIDOBJ, at, "an object may not have type {}", types_.spell(type));
      return false;
    case TypeKind::Forward:
      fail(Tag::D_DECL_INCOMPLETE, at, "an object may not have incomplete type {}", types_.spell(type));
      type_finder_.suggest_type(type);
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
std::optional<TypeId> TypeBuilder::type_of(const TypeName& name) {
  // A struct defined inside a cast is defined once, however often the clause is typed.
  if (auto known = resolved_names_.find(&name); known != resolved_names_.end()) return known->second;
  auto base = type_of(*name.specifiers);
  if (!base) return std::nullopt;
  auto declared = declared_type(*base, *name.declarator, name.specifiers->is_userland, false);
  if (!declared) return std::nullopt;
  if (declared->keys != nullptr) {
    fail(Tag::D_DECL_DYNOBJ, name.at, "a type name may not be an associative array");
    return std::nullopt;
  }
  resolved_names_[&name] = declared->type;
  return declared->type;
}

std::optional<DeclaredType> TypeBuilder::declared_type(TypeId base, const Declarator& declarator, bool is_userland,
                                                       bool may_lack_size) {
  DeclaredType result{.type = base};
  // Parts are listed from the name outwards, so the last one is applied to the base type first.
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

std::optional<TypeId> TypeBuilder::array_type(TypeId base, const Declarator& declarator, const ArrayPart& part,
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
  ExprInfo size = expressions_.check(*part.size);
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

std::optional<TypeId> TypeBuilder::function_type(TypeId result, const FunctionPart& part) {
  Position at = part.parameters.empty() ? Position{} : part.parameters.front().at;
  auto parameters = parameter_types(part.parameters, part.has_varargs, at, ParameterRules::Function);
  if (!parameters) return std::nullopt;
  return types_.add({.kind = TypeKind::Function,
                     .base = result,
                     .parameters = std::move(*parameters),
                     .has_varargs = part.has_varargs});
}

// ---------------------------------------------------------------- parameters and keys
std::optional<std::vector<TypeId>> TypeBuilder::parameter_types(const std::vector<Parameter>& parameters,
                                                                bool has_varargs, const Position& at,
                                                                ParameterRules rules) {
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
    // A translated view may name one argument several times, with different types.
    if (!name.empty() && rules != ParameterRules::ProbeOutput && !names.insert(name).second) {
      fail(Tag::D_DECL_PROTO_FORM, parameter.at, "parameter name is used twice: {}", name);
      return std::nullopt;
    }
    if (!is_void(types_, declared->type)) result.push_back(declared->type);
  }
  return result;
}

bool TypeBuilder::check_parameter(const Parameter& parameter, TypeId type, bool is_only, ParameterRules rules) {
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

std::optional<TypeId> TypeBuilder::type_of(const DeclSpecifiers& specifiers) {
  if (const auto* named = std::get_if<NamedType>(&specifiers.type)) return named_type(specifiers, *named);
  if (const auto* tag = std::get_if<TagSpecifier>(&specifiers.type)) return tagged_type(specifiers, *tag);
  return basic_type(specifiers);
}

std::optional<TypeId> TypeBuilder::basic_type(const DeclSpecifiers& specifiers) {
  std::string name;
  bool is_float = specifiers.basic == BasicType::Float || specifiers.basic == BasicType::Double;
  if (specifiers.is_signed && (specifiers.is_unsigned || specifiers.basic == BasicType::Char)) name = "signed ";
  if (specifiers.is_unsigned) name += "unsigned ";
  if (specifiers.is_short && is_float) name += "short ";
  std::string longs;
  for (int i = 0; i < std::min(specifiers.long_count, 3); ++i) longs += "long ";
  switch (specifiers.basic) {
    case BasicType::Void: name += "void"; break;
    case BasicType::Char: name += "char"; break;
    case BasicType::Float: name += longs + "float"; break;
    case BasicType::Double: name += longs + "double"; break;
    case BasicType::String: name += "string"; break;
    case BasicType::None:
    case BasicType::Int:
      if (specifiers.is_short) name += specifiers.long_count > 0 ? "short long" : "short";
      else name += longs.empty() ? "int" : longs.substr(0, longs.size() - 1);
      break;
  }
  auto type = types_.find(name);
  if (!type) fail(Tag::D_UNKNOWN, specifiers.at, "failed to resolve type {}: Unknown type name", name);
  return type;
}

std::nullopt_t TypeBuilder::report_unknown_type(const DeclSpecifiers& specifiers, const std::string& module,
                                                const std::string& shown) {
  fail(Tag::D_UNKNOWN, specifiers.at, "failed to resolve type {}: Unknown type name", shown);
  if (std::string reason = host_.why_no_type(module); !reason.empty()) diagnostics_.hint(std::move(reason));
  return std::nullopt;
}

// Assumes a number: only the C compiler knows the type.
TypeId TypeBuilder::add_assumed_type(const std::string& name) {
  TypeId number = types_.integer(sizeof(long), true);
  TypeId type = types_.add({.kind = TypeKind::Typedef, .name = name, .size = sizeof(long), .base = number});
  type_finder_.define_own_type(name, type);
  return type;
}

std::optional<TypeId> TypeBuilder::named_type(const DeclSpecifiers& specifiers, const NamedType& name) {
  std::string shown = name.module.empty() ? name.name : name.module + "`" + name.name;
  auto type = type_finder_.find(name.module, name.name);
  if (!type && accepts_unknown_types_ && name.module.empty()) type = add_assumed_type(name.name);
  if (!type) return report_unknown_type(specifiers, name.module, shown);
  if (specifiers.is_signed || specifiers.is_unsigned)
    fail(Tag::D_DECL_SIGNINT, specifiers.at, "signed and unsigned may not be used with {}", shown);
  else if (specifiers.long_count > 0 || specifiers.is_short)
    fail(Tag::D_DECL_LONGINT, specifiers.at, "long and short may not be used with {}", shown);
  if (failed()) return std::nullopt;
  return type;
}

// ---------------------------------------------------------------- struct, union, enum

std::optional<TypeId> TypeBuilder::tagged_type(const DeclSpecifiers& specifiers, const TagSpecifier& tag) {
  if (tag.has_body)
    return tag.kind == TagKind::Enum ? tag_definer_.define_enum(specifiers, tag)
                                     : tag_definer_.define_struct(specifiers, tag);
  std::string name = tag_name(tag);
  if (auto known = type_finder_.find(tag.module, name)) return known;
  if (!tag.module.empty())
    return report_unknown_type(specifiers, tag.module, fmt::format("{} {}`{}", to_text(tag.kind), tag.module, tag.tag));
  TypeId type = types_.add({.kind = TypeKind::Forward, .name = name});
  type_finder_.define_own_type(name, type);
  return type;
}

}  // namespace dscope
