#include "frontend/check/declarations/type_finder.h"

#include "catalog/foreign_types.h"

namespace dscope {

namespace {

// A type of another system, which no header, program or kernel defines.
std::optional<TypeId> define_foreign_type(TypeTable& types, const std::string& name) {
  auto base = types.find(find_foreign_type(name));
  if (!base) return std::nullopt;
  TypeId type = types.add({.kind = TypeKind::Typedef, .name = name, .size = types.size_of(*base), .base = *base});
  types.define(name, type);
  return type;
}

}  // namespace

TypeId TypeFinder::catalog_type(std::string_view name) {
  if (auto type = types_.find(name)) return *type;
  if (auto type = host_.find_type(types_, "", name)) return *type;
  bool is_tag = name.starts_with("struct ") || name.starts_with("union ") || name.starts_with("enum ");
  // This kernel lacks the type: objects stay opaque, numbers are unsigned.
  TypeId type =
      is_tag ? types_.add({.kind = TypeKind::Forward, .name = std::string(name)})
             : types_.add(
                   {.kind = TypeKind::Typedef, .name = std::string(name), .size = 4, .base = types_.integer(4, false)});
  types_.define(name, type);
  return type;
}

TypeId TypeFinder::complete(TypeId type) {
  type = types_.resolve(type);
  bool is_open = types_.get(type).kind == TypeKind::Forward && !types_.get(type).is_userland;
  if (is_open && !open_definitions_.contains(type.index)) {
    // Declared here, defined elsewhere: in a header, the program or the kernel.
    std::string name = types_.get(type).name;
    if (auto found = find("", name)) type = types_.resolve(*found);
  }
  if (!types_.get(type).is_complete) host_.complete_type(types_, type);
  return type;
}

uint64_t TypeFinder::size_of(TypeId type) {
  type = types_.resolve(type);
  if (types_.get(type).kind == TypeKind::Array) {
    uint64_t element = size_of(types_.get(type).base);  // may add types: get() again
    return TypeTable::array_size(types_.get(type).count, element);
  }
  return types_.size_of(complete(type));
}

// A type that D programs and libraries declare: the pseudo object D.
std::optional<TypeId> TypeFinder::find_program_type(const std::string& name) const {
  auto known = types_.find(name);
  return known && types_.get(*known).origin == 0 ? known : std::nullopt;
}

std::optional<TypeId> TypeFinder::find_header_type(const std::string& name) const {
  auto known = types_.find_header(name);
  if (context_.unit.headers == nullptr || (known && types_.get(*known).kind != TypeKind::Forward)) return known;
  auto found = context_.unit.headers->find_type(types_, name);
  return found ? found : known;
}

std::optional<TypeId> TypeFinder::find_own_type(const std::string& name) const {
  return context_.in_header ? types_.find_header(name) : find_program_type(name);
}

void TypeFinder::define_own_type(const std::string& name, TypeId type) {
  if (context_.in_header) types_.define_header(name, type);
  else types_.define(name, type);
}

// Types of headers (C) come first, then those of D programs, then the kernel's, which headers do not see.
std::optional<TypeId> TypeFinder::find(const std::string& module, const std::string& name) {
  if (module == "C") return find_header_type(name);
  if (module == "D") return find_program_type(name);
  if (!module.empty()) return host_.find_type(types_, module, name);
  std::optional<TypeId> forward;
  for (auto known : {find_header_type(name), find_program_type(name)}) {
    // A forward declaration does not hide a definition, but a struct may name itself while it is being defined.
    if (known && (types_.get(*known).kind != TypeKind::Forward || open_definitions_.contains(known->index)))
      return known;
    if (!forward) forward = known;
  }
  if (context_.in_header) return forward;
  auto found = host_.find_type(types_, module, name);
  bool is_defined = found && types_.get(*found).kind != TypeKind::Forward;
  if (auto emulated = is_defined ? std::nullopt : find_emulated(name)) return emulated;
  if (!found) found = forward;
  return found ? found : define_foreign_type(types_, name);
}

// With compat=solaris, time_t is the library's __solaris_time_t.
std::optional<TypeId> TypeFinder::find_emulated(const std::string& name) const {
  return dialect().emulates_solaris_names() ? find_program_type(Dialect::emulated_name(name)) : std::nullopt;
}

TypeId TypeFinder::complete_element(TypeId type) {
  TypeId object = type;
  while (types_.resolved(object).kind == TypeKind::Array) object = types_.resolved(object).base;
  complete(object);
  return type;
}

void TypeFinder::suggest_type(TypeId incomplete) {
  incomplete = types_.resolve(incomplete);
  while (types_.get(incomplete).kind == TypeKind::Array) incomplete = types_.resolve(types_.get(incomplete).base);
  if (types_.get(incomplete).kind != TypeKind::Forward) return;
  std::string near =
      context_.unit.headers == nullptr ? "" : context_.unit.headers->nearest_type(types_.get(incomplete).name);
  if (near.empty()) near = host_.nearest_type(types_.get(incomplete).name);
  if (!near.empty()) diagnostics_.hint(fmt::format("did you mean `{}`?", near));
}

}  // namespace dscope
