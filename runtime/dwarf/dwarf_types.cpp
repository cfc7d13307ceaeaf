// An entry keeps its TypeId for the life of a TypeTable. The file is not trusted: types that contain themselves and
// endless chains of references become void.
#include "runtime/dwarf/dwarf_types.h"

#include <dwarf.h>

#include <algorithm>
#include <limits>

#include "runtime/dwarf/type_likeness.h"
#include "support/check.h"
#include "support/format.h"

namespace dscope {

namespace {

constexpr int max_type_depth = 100;

bool is_qualifier(int tag) {
  return tag == DW_TAG_const_type || tag == DW_TAG_volatile_type || tag == DW_TAG_restrict_type ||
         tag == DW_TAG_atomic_type || tag == DW_TAG_packed_type || tag == DW_TAG_immutable_type ||
         tag == DW_TAG_shared_type;
}

bool is_tagged(int tag) {
  return tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type ||
         tag == DW_TAG_enumeration_type;
}

std::string_view keyword_of(int tag) {
  if (tag == DW_TAG_enumeration_type) return "enum";
  return tag == DW_TAG_union_type ? "union" : "struct";
}

TypeKind kind_of(int tag) {
  if (tag == DW_TAG_enumeration_type) return TypeKind::Enum;
  return tag == DW_TAG_union_type ? TypeKind::Union : TypeKind::Struct;
}

// A constant as a value of the integer type has it.
int64_t narrowed(const TypeTable& types, TypeId type, int64_t value) {
  uint64_t unused_bits = 64 - 8 * std::clamp<uint64_t>(types.size_of(type), 1, 8);
  uint64_t shifted = static_cast<uint64_t>(value) << unused_bits;
  return types.is_signed_integer(type) ? static_cast<int64_t>(shifted) >> unused_bits
                                       : static_cast<int64_t>(shifted >> unused_bits);
}

bool has_c_size(uint64_t size) { return size == 1 || size == 2 || size == 4 || size == 8; }

}  // namespace

// A new TypeTable may have the address of a destroyed one. Then its rows do not match the remembered ones, which are
// dropped.
DwarfTypes::Imported& DwarfTypes::imported_into(const TypeTable& types) {
  Imported& known = imported_[&types];
  if (known.by_entry.empty()) return known;
  auto [entry, id] = *known.by_entry.begin();
  uint32_t origin = id.index < types.size() ? types.get(id).origin : 0;
  bool is_there = (origin & origin_mark) != 0 && known.by_entry.contains(sources_[origin & ~origin_mark].die.addr);
  if (!is_there) known = {};
  return known;
}

TypeId DwarfTypes::import(TypeTable& types, uint32_t group, const Dwarf_Die& die) {
  Importing to{.types = types, .known = imported_into(types), .group = group};
  if (auto known = to.known.by_entry.find(die.addr); known != to.known.by_entry.end()) return known->second;
  TypeId id = import(to, die);
  // D's own row of a basic type is not marked is_userland; a typedef of it is.
  bool is_nameless = types.get(id).name.empty();  // a pointer, an array
  if (is_nameless || (types.get(id).origin & origin_mark) != 0) return id;
  return add(to, die, {.kind = TypeKind::Typedef, .name = types.get(id).name, .size = types.size_of(id), .base = id});
}

TypeId DwarfTypes::import(Importing& to, const std::optional<Dwarf_Die>& die) {
  if (!die || to.depth == max_type_depth) return to.types.void_type();
  ++to.depth;
  Dwarf_Die entry = *die;
  TypeId id = import_by_tag(to, entry, dw_.dwarf_tag(&entry));
  --to.depth;
  return id;
}

TypeId DwarfTypes::import_by_tag(Importing& to, const Dwarf_Die& die, int tag) {
  if (is_qualifier(tag)) return import(to, dw_.reference(die, DW_AT_type));
  if (is_tagged(tag)) return import_tagged(to, die, tag);
  switch (tag) {
    case DW_TAG_base_type: return import_basic(to, die);
    case DW_TAG_pointer_type:
    case DW_TAG_reference_type:
    case DW_TAG_rvalue_reference_type: {
      uint32_t size = address_size(die);
      return to.types.pointer_to(import(to, dw_.reference(die, DW_AT_type)), true, size);
    }
    case DW_TAG_array_type: return import_array(to, die);
    case DW_TAG_subroutine_type: return import_function(to, die);
    case DW_TAG_typedef: return import_typedef(to, die);
    case DW_TAG_subrange_type: return import(to, dw_.reference(die, DW_AT_type));
    case DW_TAG_unspecified_type: return to.types.void_type();
    case DW_TAG_ptr_to_member_type: return opaque(to, size_of(die) != 0 ? size_of(die) : address_size(die));
    default: return opaque(to, size_of(die));
  }
}

// ---------------------------------------------------------------- unnamed types

uint64_t DwarfTypes::size_of(const Dwarf_Die& die) const { return dw_.number(die, DW_AT_byte_size).value_or(0); }

uint32_t DwarfTypes::address_size(const Dwarf_Die& die) const {
  Dwarf_Die entry = die, unit;
  uint8_t size = 8;
  dw_.dwarf_diecu(&entry, &unit, &size, nullptr);
  return size == 4 ? 4 : 8;
}

// Types that D lacks (__int128, complex numbers ...) become an array of bytes.
TypeId DwarfTypes::opaque(Importing& to, uint64_t size) const {
  if (has_c_size(size)) return to.types.integer(static_cast<uint32_t>(size), false);
  if (size == 0 || size > std::numeric_limits<uint32_t>::max()) return to.types.void_type();
  return to.types.array_of(to.types.integer(1, false), static_cast<uint32_t>(size));
}

TypeId DwarfTypes::import_basic(Importing& to, const Dwarf_Die& die) const {
  uint64_t size = size_of(die);
  std::string_view name = dw_.name(die);
  uint64_t encoding = dw_.number(die, DW_AT_encoding).value_or(0);
  auto known = [&](const char* spelling) { return to.types.find(spelling).value_or(to.types.void_type()); };
  bool is_signed = encoding == DW_ATE_signed || encoding == DW_ATE_signed_char;
  switch (encoding) {
    case DW_ATE_boolean: return size == 1 ? known("_Bool") : opaque(to, size);
    case DW_ATE_float:
      if (size == 4 || size == 8) return known(size == 4 ? "float" : "double");
      return size == 16 ? known("long double") : opaque(to, size);
    case DW_ATE_signed_char:
    case DW_ATE_unsigned_char:
      if (size != 1) break;
      // Plain `char`, whatever its sign on that machine.
      if (name == "char") return to.types.plain_char();
      return known(is_signed ? "signed char" : "unsigned char");
    default: break;
  }
  bool is_long_long = size == 8 && name.find("long long") != std::string_view::npos;
  if (is_long_long) return to.types.long_long(is_signed);
  return has_c_size(size) ? to.types.integer(static_cast<uint32_t>(size), is_signed) : opaque(to, size);
}

uint32_t DwarfTypes::element_count(const Dwarf_Die& subrange) const {
  constexpr uint64_t max_count = std::numeric_limits<uint32_t>::max();
  auto count = dw_.number(subrange, DW_AT_count);
  if (!count) {
    auto last = dw_.signed_number(subrange, DW_AT_upper_bound);
    // GCC writes the upper bound of `char a[]`, if any, as -1.
    int64_t first = dw_.signed_number(subrange, DW_AT_lower_bound).value_or(0);
    if (last && *last >= first) count = static_cast<uint64_t>(*last) - static_cast<uint64_t>(first) + 1;
  }
  return static_cast<uint32_t>(std::min(count.value_or(0), max_count));
}

TypeId DwarfTypes::import_array(Importing& to, const Dwarf_Die& die) {
  std::vector<uint32_t> counts;
  for (auto child = dw_.first_child(die); child; child = dw_.next_sibling(*child))
    if (dw_.dwarf_tag(&*child) == DW_TAG_subrange_type) counts.push_back(element_count(*child));
  TypeId id = import(to, dw_.reference(die, DW_AT_type));
  if (counts.empty()) return to.types.array_of(id, 0);
  for (size_t i = counts.size(); i-- > 0;) id = to.types.array_of(id, counts[i]);
  return id;
}

TypeId DwarfTypes::import_function(Importing& to, const Dwarf_Die& die) {
  Type function{.kind = TypeKind::Function, .base = import(to, dw_.reference(die, DW_AT_type))};
  for (auto child = dw_.first_child(die); child; child = dw_.next_sibling(*child)) {
    int tag = dw_.dwarf_tag(&*child);
    if (tag == DW_TAG_formal_parameter) function.parameters.push_back(import(to, dw_.reference(*child, DW_AT_type)));
    function.has_varargs |= tag == DW_TAG_unspecified_parameters;
  }
  return to.types.add(std::move(function));
}

// ---------------------------------------------------------------- named types

TypeId DwarfTypes::add(Importing& to, const Dwarf_Die& die, Type type) {
  type.origin = origin_mark | static_cast<uint32_t>(sources_.size());
  type.is_userland = true;
  sources_.push_back({.group = to.group, .die = die});
  TypeId id = to.types.add(std::move(type));
  to.known.by_entry[die.addr] = id;
  return id;
}

TypeId DwarfTypes::import_typedef(Importing& to, const Dwarf_Die& die) {
  if (auto known = to.known.by_entry.find(die.addr); known != to.known.by_entry.end()) return known->second;
  // The row is added before its base is imported, because the base may refer to it.
  TypeId id =
      add(to, die, {.kind = TypeKind::Typedef, .name = std::string{dw_.name(die)}, .base = to.types.void_type()});
  TypeId base = import(to, dw_.reference(die, DW_AT_type));
  // No compiler writes a typedef of itself, but a damaged file may; resolving it would never end.
  if (to.types.resolve(base) == id) return id;
  for (TypeId at = base; to.types.get(at).kind == TypeKind::Typedef; at = to.types.get(at).base)
    if (at == id) return id;
  uint64_t size = to.types.size_of(base);
  to.types.edit(id).base = base;
  to.types.edit(id).size = size;
  return id;
}

// Decided by the underlying type; signed if the compiler states none.
bool DwarfTypes::is_signed_enum(const Dwarf_Die& die) const {
  std::optional<Dwarf_Die> type = dw_.reference(die, DW_AT_type);
  for (int depth = 0; type && depth < max_type_depth && !dw_.has(*type, DW_AT_encoding); ++depth)
    type = dw_.reference(*type, DW_AT_type);
  uint64_t encoding = dw_.number(type.value_or(die), DW_AT_encoding).value_or(DW_ATE_signed);
  return encoding == DW_ATE_signed || encoding == DW_ATE_signed_char;
}

// A row for a type of this name and size. Types in classes and namespaces may have equal names and sizes, and yet be
// different: those of two instances of a template, or two variants of Rust.
std::optional<TypeId> DwarfTypes::find_alike(const Importing& to, const std::string& identity,
                                             const Dwarf_Die& die) const {
  auto known = to.known.by_name.find(identity);
  if (known == to.known.by_name.end()) return std::nullopt;
  for (TypeId id : known->second)
    if (have_same_members(dw_, sources_[to.types.get(id).origin & ~origin_mark].die, die)) return id;
  return std::nullopt;
}

TypeId DwarfTypes::import_tagged(Importing& to, Dwarf_Die die, int tag) {
  if (auto known = to.known.by_entry.find(die.addr); known != to.known.by_entry.end()) return known->second;
  const void* entry = die.addr;
  // The definition may be in a type unit.
  if (auto definition = dw_.reference(die, DW_AT_signature)) die = *definition;
  std::string_view tag_name = dw_.name(die);
  std::string name = fmt::format("{}{}{}", keyword_of(tag), tag_name.empty() ? "" : " ", tag_name);
  bool is_declaration = dw_.has(die, DW_AT_declaration);
  // Every compilation unit repeats the types of the headers that it includes.
  std::string identity = fmt::format("{} {} {}", to.group, is_declaration ? 0 : size_of(die) + 1, name);
  if (!tag_name.empty()) {
    if (auto known = find_alike(to, identity, die)) return to.known.by_entry[entry] = *known;
  }
  bool is_enum = tag == DW_TAG_enumeration_type;
  uint64_t size = size_of(die);
  TypeId id = add(to, die,
                  {.kind = kind_of(tag),
                   .name = std::move(name),
                   .size = is_enum && !has_c_size(size) ? 4 : size,
                   .is_signed = is_enum && is_signed_enum(die),
                   .is_complete = false});
  to.known.by_entry[entry] = id;
  to.known.by_name[identity].push_back(id);
  return id;
}

// ---------------------------------------------------------------- members and enumerators

void DwarfTypes::complete(TypeTable& types, TypeId id) {
  id = types.resolve(id);
  uint32_t origin = types.get(id).origin;
  if (types.get(id).is_complete || (origin & origin_mark) == 0) return;
  types.edit(id).is_complete = true;
  Source source = sources_.at(origin & ~origin_mark);
  if (dw_.has(source.die, DW_AT_declaration)) {
    auto definition = find_definition_(source.group, types.get(id).name);
    if (!definition) {
      types.edit(id).kind = TypeKind::Forward;
      return;
    }
    source.die = *definition;
    if (types.get(id).kind != TypeKind::Enum) types.edit(id).size = size_of(source.die);
  }
  if (types.get(id).kind == TypeKind::Enum) return complete_enumerators(types, id, source.die);
  Importing to{.types = types, .known = imported_into(types), .group = source.group};
  complete_members(to, id, source.die);
}

void DwarfTypes::complete_members(Importing& to, TypeId id, const Dwarf_Die& die) {
  std::vector<TypeMember> members;
  uint64_t size = to.types.get(id).size;
  std::optional<Dwarf_Die> variants;
  for (auto child = dw_.first_child(die); child; child = dw_.next_sibling(*child)) {
    int tag = dw_.dwarf_tag(&*child);
    if (tag == DW_TAG_variant_part) variants = child;
    add_arguments(to, id, *child, tag);
    if (tag != DW_TAG_member && tag != DW_TAG_inheritance) continue;
    if (auto added = member(to, *child, tag, size)) members.push_back(std::move(*added));
  }
  if (variants && members.empty()) return complete_variants(to, id, *variants);
  to.types.edit(id).members = std::move(members);
}

// Template arguments; packs of them are written as one entry.
void DwarfTypes::add_arguments(Importing& to, TypeId id, const Dwarf_Die& die, int tag) {
  if (tag == DW_TAG_template_type_parameter) {
    TypeId argument = import(to, dw_.reference(die, DW_AT_type));
    to.types.edit(id).arguments.push_back(argument);
  }
  if (tag != DW_TAG_GNU_template_parameter_pack) return;
  for (auto child = dw_.first_child(die); child; child = dw_.next_sibling(*child))
    if (dw_.dwarf_tag(&*child) == DW_TAG_template_type_parameter)
      add_arguments(to, id, *child, DW_TAG_template_type_parameter);
}

// An enum with data, of Rust: the members are the discriminant and, over each other, the variants. The enumerators say
// which discriminant selects which variant; the variant without one has the remaining values.
void DwarfTypes::complete_variants(Importing& to, TypeId id, const Dwarf_Die& part) {
  std::vector<TypeMember> members;
  std::vector<TypeEnumerator> enumerators;
  uint64_t size = to.types.get(id).size;
  auto discriminant = dw_.reference(part, DW_AT_discr);
  if (discriminant) {
    auto added = member(to, *discriminant, DW_TAG_member, size);
    if (!added || !to.types.is_integer(added->type) || to.types.size_of(added->type) > sizeof(uint64_t)) return;
    added->name = "discriminant";
    members.push_back(std::move(*added));
  }
  size_t defaults = 0;
  for (auto variant = dw_.first_child(part); variant; variant = dw_.next_sibling(*variant)) {
    if (dw_.dwarf_tag(&*variant) != DW_TAG_variant) continue;
    auto child = dw_.first_child(*variant);
    auto added = child ? member(to, *child, DW_TAG_member, size) : std::nullopt;
    if (!added || dw_.has(*variant, DW_AT_discr_list)) return;
    auto value = dw_.constant(*variant, DW_AT_discr_value);
    if (value && discriminant)
      enumerators.push_back({.name = added->name, .value = narrowed(to.types, members.front().type, *value)});
    defaults += value ? 0 : 1;
    members.push_back(std::move(*added));
  }
  if (defaults > 1) return;
  to.types.edit(id).members = std::move(members);
  to.types.edit(id).enumerators = std::move(enumerators);
}

// Nothing for static members and for virtual base classes, whose offset only the running program has.
std::optional<TypeMember> DwarfTypes::member(Importing& to, const Dwarf_Die& die, int tag, uint64_t whole_size) {
  if (dw_.has(die, DW_AT_external) || dw_.has(die, DW_AT_declaration)) return std::nullopt;
  auto bytes = member_offset(die);
  auto type_entry = dw_.reference(die, DW_AT_type);
  int visits = 10000;
  if (!bytes || !type_entry || contains_itself(*type_entry, whole_size, visits)) return std::nullopt;
  // A base class becomes an unnamed member, so that D finds its members like those of an unnamed struct.
  TypeMember result{.name = tag == DW_TAG_inheritance ? std::string{} : std::string{dw_.name(die)},
                    .type = import(to, type_entry)};
  uint64_t bit_offset = *bytes * 8;
  if (auto bits = dw_.number(die, DW_AT_bit_size)) {
    result.bit_size = static_cast<uint32_t>(std::min<uint64_t>(*bits, 64));
    if (auto from_start = dw_.number(die, DW_AT_data_bit_offset)) {
      bit_offset = *from_start;
    } else if (auto from_top = dw_.signed_number(die, DW_AT_bit_offset)) {
      // DWARF 2 and 3 count from the highest bit of the storage unit that contains the field.
      uint64_t unit = size_of(die) != 0 ? size_of(die) : to.types.size_of(result.type);
      bit_offset += unit * 8 - static_cast<uint64_t>(*from_top) - *bits;
    }
  }
  bool is_readable = bit_offset % 8 + result.bit_size <= 64 && bit_offset <= std::numeric_limits<uint32_t>::max();
  if (!is_readable) return std::nullopt;
  result.bit_offset = static_cast<uint32_t>(bit_offset);
  return result;
}

// The offset of a member in bytes, 0 if none is stated, as in a union; nothing if it takes a computation at run time.
std::optional<uint64_t> DwarfTypes::member_offset(const Dwarf_Die& die) const {
  if (!dw_.has(die, DW_AT_data_member_location)) return 0;
  if (auto constant = dw_.number(die, DW_AT_data_member_location)) return constant;
  Dwarf_Die entry = die;
  Dwarf_Attribute attribute;
  Dwarf_Op* operations = nullptr;
  size_t count = 0;
  bool is_offset = dw_.dwarf_attr(&entry, DW_AT_data_member_location, &attribute) != nullptr &&
                   dw_.dwarf_getlocation(&attribute, &operations, &count) == 0 && count == 1 &&
                   operations[0].atom == DW_OP_plus_uconst;
  return is_offset ? std::optional<uint64_t>{operations[0].number} : std::nullopt;
}

// Whether a member of this type would contain the struct of `size` bytes that it is a member of. Only structs at least
// that large can. `visits`: the number of entries that may still be visited; a type that needs more counts as endless.
bool DwarfTypes::contains_itself(const Dwarf_Die& die, uint64_t size, int& visits) const {
  if (visits-- == 0) return true;
  Dwarf_Die entry = die;
  int tag = dw_.dwarf_tag(&entry);
  if (is_qualifier(tag) || tag == DW_TAG_typedef || tag == DW_TAG_array_type) {
    auto target = dw_.reference(die, DW_AT_type);
    return target && contains_itself(*target, size, visits);
  }
  if (!is_tagged(tag) || tag == DW_TAG_enumeration_type || size_of(die) < size) return false;
  for (auto child = dw_.first_child(die); child; child = dw_.next_sibling(*child)) {
    if (dw_.dwarf_tag(&*child) != DW_TAG_member && dw_.dwarf_tag(&*child) != DW_TAG_inheritance) continue;
    auto type = dw_.reference(*child, DW_AT_type);
    if (type && contains_itself(*type, size, visits)) return true;
  }
  return false;
}

void DwarfTypes::complete_enumerators(TypeTable& types, TypeId id, const Dwarf_Die& die) const {
  std::vector<TypeEnumerator> enumerators;
  for (auto child = dw_.first_child(die); child; child = dw_.next_sibling(*child))
    if (dw_.dwarf_tag(&*child) == DW_TAG_enumerator)
      enumerators.push_back(
          {.name = std::string{dw_.name(*child)}, .value = dw_.constant(*child, DW_AT_const_value).value_or(0)});
  types.edit(id).enumerators = std::move(enumerators);
}

}  // namespace dscope
