#include "frontend/check/declarations/declarations.h"

#include <algorithm>

#include "frontend/check/declarations/type_builder.h"
#include "frontend/check/declarations/type_finder.h"
#include "frontend/check/name_table.h"

namespace dscope {

void Declarations::declare(const Declaration& declaration) {
  auto base = type_builder_.type_of(*declaration.specifiers);
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

void Declarations::declare_name(const DeclSpecifiers& specifiers, TypeId base, const Declarator& declarator) {
  if (declarator.name.find('`') != std::string::npos) {
    fail(Tag::D_DECL_SCOPE, declarator.at, "a declared name may not contain scoping operators: {}", declarator.name);
    return;
  }
  if (declarator.name.empty()) {
    fail(Tag::D_DECL_USELESS, declarator.at, "declaration declares nothing");
    return;
  }
  bool is_extern = specifiers.storage == StorageClass::Extern;
  auto declared = type_builder_.declared_type(base, declarator, specifiers.is_userland, is_extern);
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

void Declarations::declare_typedef(const Declarator& declarator, TypeId type) {
  auto known = type_finder_.find_own_type(declarator.name);
  // C allows a typedef to be repeated, and typedefs of headers do not clash with D names.
  if (known && context_.in_header && is_same_type(types_, *known, type)) return;
  if (known || (names_.is_global_name(declarator.name) && !context_.in_header)) {
    fail(Tag::D_DECL_IDRED, declarator.at, "identifier redeclared: {}", declarator.name);
    return;
  }
  // Every look at a type walks its chain of typedefs.
  constexpr size_t max_chain = 1000;
  size_t chain = 0;
  for (TypeId each = type; types_.get(each).kind == TypeKind::Typedef; each = types_.get(each).base) ++chain;
  if (chain >= max_chain) {
    fail(Tag::D_UNKNOWN, declarator.at, "typedef {} is nested too deeply: it names typedefs of {} levels",
         declarator.name, chain);
    return;
  }
  type_finder_.define_own_type(
      declarator.name,
      types_.add({.kind = TypeKind::Typedef, .name = declarator.name, .size = types_.size_of(type), .base = type}));
}

// Sets the type of a kernel symbol; defines neither a variable nor a function.
void Declarations::declare_extern(const Declarator& declarator, TypeId type) {
  TypeId first = names_.declare_extern(declarator.name, type);
  if (!is_same_type(types_, first, type) || names_.find_definition(declarator.name) != nullptr)
    fail(Tag::D_DECL_IDRED, declarator.at, "identifier redeclared: {}", declarator.name);
}

bool Declarations::is_same_variable(const Variable& a, const Variable& b) const {
  auto same = [&](TypeId x, TypeId y) { return is_same_type(types_, x, y); };
  return same(a.type, b.type) && a.is_associative == b.is_associative &&
         std::equal(a.keys.begin(), a.keys.end(), b.keys.begin(), b.keys.end(), same);
}

// Half of the largest offset into a map that the verifier accepts (BPF_MAX_VAR_OFF, 2^29).
constexpr uint64_t max_declared_bytes = uint64_t{1} << 28;
void Declarations::declare_variable(const DeclSpecifiers& specifiers, const Declarator& declarator,
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
  if (!type_builder_.check_object_type(declarator.at, declared.type)) return;
  if (declared.keys != nullptr) {
    if (variable.scope == VariableScope::This) {
      fail(Tag::D_DECL_LOCASSC, declarator.at, "clause-local variable may not be an associative array: {}",
           declarator.name);
      return;
    }
    auto keys = type_builder_.parameter_types(declared.keys->keys, declared.keys->has_varargs, declarator.at,
                                              ParameterRules::Tuple);
    if (!keys) return;
    variable.is_associative = true;
    variable.keys = std::move(*keys);
  }
  ResolvedName known = names_.find(Name{.scope = variable.scope, .name = variable.name});
  bool is_type = variable.scope == VariableScope::Global &&
                 (type_finder_.find_header_type(variable.name) || types_.find(variable.name));
  if (std::holds_alternative<std::monostate>(known) && !is_type) {
    declared_bytes_ += type_finder_.size_of(declared.type);
    if (declared_bytes_ > max_declared_bytes) {
      fail(Tag::D_DECL_ARRBIG, declarator.at, "variables take more than {} bytes with {}", max_declared_bytes,
           declarator.name);
      return;
    }
    names_.add_variable(std::move(variable));
    return;
  }
  const auto* id = std::get_if<VariableId>(&known);
  if (id == nullptr || !is_same_variable(semantics_.variables[id->index], variable))
    fail(Tag::D_DECL_IDRED, declarator.at, "identifier redeclared: {}", declarator.name);
}

}  // namespace dscope
