// Imports BTF records into a TypeTable. A BTF id keeps its TypeId for the life of a TypeTable: structs and typedefs are
// remembered by origin, pointers and arrays are unique in the TypeTable anyway, and integers are D's own.
#include <algorithm>

#include "runtime/kernel/btf_types.h"
#include "support/check.h"

namespace dscope {
namespace {

// The name of an unnamed struct is "struct".
std::string with_tag(std::string_view tag, std::string_view name) {
  return name.empty() ? std::string{tag} : std::string{tag} + " " + std::string{name};
}

// D's integer type for the name of a compiler's integer type in BTF.
std::optional<TypeId> find_d_integer(const TypeTable& types, std::string_view name, uint32_t size, bool is_signed) {
  // The kernel is built with -funsigned-char (since 6.2), so BTF describes `char` as unsigned; D's `char` is plain.
  if (name == "char") return types.plain_char();
  if (name == "_Bool" || name == "signed char") return types.find(name);
  if (name == "long long int" || name == "long long unsigned int") return types.long_long(is_signed);
  if (size == 1 || size == 2 || size == 4 || size == 8) return types.integer(size, is_signed);
  return std::nullopt;
}

}  // namespace

TypeId KernelTypes::import(TypeTable& types, Reference reference) {
  if (reference.id == 0) return types.void_type();
  if (depth_ >= max_btf_chain) return TypeTable::error_type();
  ++depth_;
  TypeId id = import_unguarded(types, reference);
  --depth_;
  return id;
}

TypeId KernelTypes::import_unguarded(TypeTable& types, Reference reference) {
  const btf_type& type = record(reference);
  switch (btf_kind(type)) {
    case BTF_KIND_INT: return import_integer(types, reference);
    case BTF_KIND_PTR: return import_pointer(types, reference);
    case BTF_KIND_ARRAY: {
      const auto& array = *reinterpret_cast<const btf_array*>(&type + 1);
      return types.array_of(import(types, target(reference, array.type)), array.nelems);
    }
    case BTF_KIND_FLOAT: return types.find(name(reference)).value_or(TypeTable::error_type());
    case BTF_KIND_FUNC:
    case BTF_KIND_VAR: return import(types, target(reference, type.type));
    case BTF_KIND_FWD: return import_forward(types, reference);
    case BTF_KIND_STRUCT:
    case BTF_KIND_UNION:
    case BTF_KIND_ENUM:
    case BTF_KIND_ENUM64:
    case BTF_KIND_TYPEDEF:
    case BTF_KIND_FUNC_PROTO: return import_once(types, reference);
    default: break;
  }
  if (is_btf_qualifier(btf_kind(type))) return import(types, target(reference, type.type));
  return TypeTable::error_type();
}

TypeId KernelTypes::import_once(TypeTable& types, Reference reference) {
  Imported& imported = imported_[&types];
  if (auto known = imported.find(reference.origin()); known != imported.end()) {
    // A new TypeTable may have the address of a destroyed one.
    bool is_this_table = known->second.index < types.size() && types.get(known->second).origin == reference.origin();
    // In C, the parameters of a function cannot have its own type.
    if (is_this_table && std::ranges::find(open_functions_, reference.origin()) != open_functions_.end())
      return TypeTable::error_type();
    if (is_this_table) return known->second;
    imported.clear();
  }
  const btf_type& type = record(reference);
  switch (btf_kind(type)) {
    case BTF_KIND_STRUCT:
      return add(types, reference,
                 {.kind = TypeKind::Struct,
                  .name = with_tag("struct", name(reference)),
                  .size = type.size,
                  .is_complete = false});
    case BTF_KIND_UNION:
      return add(types, reference,
                 {.kind = TypeKind::Union,
                  .name = with_tag("union", name(reference)),
                  .size = type.size,
                  .is_complete = false});
    case BTF_KIND_TYPEDEF: return import_typedef(types, reference);
    case BTF_KIND_FUNC_PROTO: return import_function(types, reference);
    default: break;
  }
  return add(types, reference,
             {.kind = TypeKind::Enum,
              .name = with_tag("enum", name(reference)),
              .size = type.size,
              .is_signed = btf_flag(type),
              .is_complete = false});
}

TypeId KernelTypes::add(TypeTable& types, Reference reference, Type type) {
  type.origin = reference.origin();
  TypeId id = types.add(std::move(type));
  imported_[&types][reference.origin()] = id;
  return id;
}

TypeId KernelTypes::import_integer(TypeTable& types, Reference reference) {
  const btf_type& type = record(reference);
  uint32_t encoding = *reinterpret_cast<const uint32_t*>(&type + 1);
  bool is_signed = (BTF_INT_ENCODING(encoding) & BTF_INT_SIGNED) != 0;
  if (auto own = find_d_integer(types, name(reference), type.size, is_signed)) return *own;
  std::string spelling{name(reference)};  // __int128
  if (auto known = types.find(spelling)) return *known;
  TypeId id = types.add({.kind = TypeKind::Integer, .name = spelling, .size = type.size, .is_signed = is_signed});
  types.define(spelling, id);
  return id;
}

// `T __user *` is a pointer to a type tagged "user"; only some compilers write type tags.
TypeId KernelTypes::import_pointer(TypeTable& types, Reference reference) {
  bool is_userland = false;
  Reference base = target(reference, record(reference).type);
  for (uint32_t i = 0; i < max_btf_chain && is_btf_qualifier(btf_kind(record(base))); ++i) {
    is_userland |= btf_kind(record(base)) == BTF_KIND_TYPE_TAG && name(base) == "user";
    base = target(base, record(base).type);
  }
  return types.pointer_to(import(types, base), is_userland);
}

// A declaration; another file of the kernel usually has the definition.
TypeId KernelTypes::import_forward(TypeTable& types, Reference reference) {
  bool is_union = btf_flag(record(reference));
  uint32_t kind = is_union ? BTF_KIND_UNION : BTF_KIND_STRUCT;
  if (auto definition = find_reference(reference.module, kind, name(reference))) return import(types, *definition);
  Imported& imported = imported_[&types];
  auto known = imported.find(reference.origin());
  if (known != imported.end() && known->second.index < types.size() &&
      types.get(known->second).origin == reference.origin())
    return known->second;
  return add(types, reference,
             {.kind = TypeKind::Forward, .name = with_tag(is_union ? "union" : "struct", name(reference))});
}

TypeId KernelTypes::import_typedef(TypeTable& types, Reference reference) {
  // The row is added before its base is imported, because the base may refer to it.
  TypeId id = add(types, reference,
                  {.kind = TypeKind::Typedef, .name = std::string{name(reference)}, .base = types.void_type()});
  TypeId base = import(types, target(reference, record(reference).type));
  for (TypeId each = base; types.get(each).kind == TypeKind::Typedef; each = types.get(each).base)
    if (types.get(each).base == id || each == id) {
      base = TypeTable::error_type();
      break;
    }
  uint64_t size = types.size_of(base);
  types.edit(id).base = base;
  types.edit(id).size = size;
  return id;
}

TypeId KernelTypes::import_function(TypeTable& types, Reference reference) {
  TypeId id = add(types, reference, {.kind = TypeKind::Function});
  open_functions_.push_back(reference.origin());
  TypeId result = import(types, target(reference, record(reference).type));
  std::vector<TypeId> parameters;
  bool has_varargs = false;
  for (const btf_param& parameter : index(reference.module).trailing<btf_param>(reference.id)) {
    if (parameter.type == 0) has_varargs = true;  // `...` is a last parameter of type 0
    else parameters.push_back(import(types, target(reference, parameter.type)));
  }
  open_functions_.pop_back();
  Type& function = types.edit(id);
  function.base = result;
  function.parameters = std::move(parameters);
  function.has_varargs = has_varargs;
  return id;
}

// ---------------------------------------------------------------- members

void KernelTypes::complete(TypeTable& types, TypeId id) {
  id = types.resolve(id);
  if (types.get(id).is_complete || types.get(id).origin == 0) return;
  Reference reference = Reference::from_origin(types.get(id).origin);
  DS_CHECK(reference.module < blobs_.size());
  types.edit(id).is_complete = true;
  if (types.get(id).kind == TypeKind::Enum) complete_enumerators(types, id, reference);
  else complete_members(types, id, reference);
}

// Without kind_flag (before Linux 5.0), the width of a bit-field is that of its integer type.
std::optional<TypeMember> KernelTypes::old_style_bit_field(Reference member_type) const {
  Reference base = skip_qualifiers(member_type);
  for (uint32_t i = 0; i < max_btf_chain && btf_kind(record(base)) == BTF_KIND_TYPEDEF; ++i)
    base = skip_qualifiers(target(base, record(base).type));
  const btf_type& type = record(base);
  if (btf_kind(type) != BTF_KIND_INT) return std::nullopt;
  uint32_t encoding = *reinterpret_cast<const uint32_t*>(&type + 1);
  uint32_t bits = BTF_INT_BITS(encoding), shift = BTF_INT_OFFSET(encoding);
  if (bits == type.size * 8 && shift == 0) return std::nullopt;
  return TypeMember{.bit_offset = shift, .bit_size = bits};
}

void KernelTypes::complete_members(TypeTable& types, TypeId id, Reference reference) {
  bool has_flag = btf_flag(record(reference));
  std::vector<TypeMember> members;
  for (const btf_member& member : index(reference.module).trailing<btf_member>(reference.id)) {
    Reference member_type = target(reference, member.type);
    TypeMember entry{.name = std::string{index(reference.module).name(member.name_off)},
                     .type = import(types, member_type),
                     .bit_offset = has_flag ? BTF_MEMBER_BIT_OFFSET(member.offset) : member.offset,
                     .bit_size = has_flag ? BTF_MEMBER_BITFIELD_SIZE(member.offset) : 0};
    if (auto bits = has_flag ? std::nullopt : old_style_bit_field(member_type)) {
      entry.bit_offset += bits->bit_offset;
      entry.bit_size = bits->bit_size;
    }
    members.push_back(std::move(entry));
  }
  types.edit(id).members = std::move(members);
}

void KernelTypes::complete_enumerators(TypeTable& types, TypeId id, Reference reference) {
  const BtfIndex& blob = index(reference.module);
  bool is_signed = btf_flag(record(reference));
  std::vector<TypeEnumerator>& enumerators = types.edit(id).enumerators;
  if (btf_kind(record(reference)) == BTF_KIND_ENUM64) {
    for (const btf_enum64& row : blob.trailing<btf_enum64>(reference.id))
      enumerators.push_back(
          {std::string{blob.name(row.name_off)}, static_cast<int64_t>(uint64_t{row.val_hi32} << 32 | row.val_lo32)});
    return;
  }
  for (const btf_enum& row : blob.trailing<btf_enum>(reference.id))
    enumerators.push_back(
        {std::string{blob.name(row.name_off)}, is_signed ? int64_t{row.val} : int64_t{static_cast<uint32_t>(row.val)}});
}

}  // namespace dscope
