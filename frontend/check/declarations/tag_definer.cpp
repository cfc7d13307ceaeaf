#include "frontend/check/declarations/tag_definer.h"

#include <algorithm>
#include <limits>
#include <unordered_set>

#include "frontend/check/declarations/type_builder.h"
#include "frontend/check/declarations/type_finder.h"
#include "frontend/check/expressions/expression_typer.h"
#include "frontend/check/name_table.h"
#include "support/check.h"

namespace dscope {

std::string_view to_text(TagKind kind) {
  switch (kind) {
    case TagKind::Struct: return "struct";
    case TagKind::Union: return "union";
    case TagKind::Enum: return "enum";
  }
  DS_UNREACHABLE();
}

std::string tag_name(const TagSpecifier& tag) {
  return tag.tag.empty() ? std::string{} : fmt::format("{} {}", to_text(tag.kind), tag.tag);
}

// The type that a definition fills in: its forward declaration, so that pointers to it get the members, or a new type.
std::optional<TypeId> TagDefiner::open_definition(const DeclSpecifiers& specifiers, const TagSpecifier& tag) {
  TypeKind kind = tag.kind == TagKind::Enum     ? TypeKind::Enum
                  : tag.kind == TagKind::Struct ? TypeKind::Struct
                                                : TypeKind::Union;
  std::string name = tag_name(tag);
  // The name of an anonymous type appears only in messages.
  if (name.empty()) return types_.add({.kind = kind, .name = fmt::format("{} (anon)", to_text(tag.kind))});
  if (name.find('`') != std::string::npos) {
    fail(Tag::D_DECL_SCOPE, specifiers.at, "a declared name may not contain scoping operators: {}", name);
    return std::nullopt;
  }
  if (auto known = type_finder_.find_own_type(name)) {
    if (types_.get(*known).kind != TypeKind::Forward) {
      fail(Tag::D_DECL_TYPERED, specifiers.at, "type redeclared: {}", name);
      return std::nullopt;
    }
    types_.edit(*known).kind = kind;
    return known;
  }
  TypeId type = types_.add({.kind = kind, .name = name});
  type_finder_.define_own_type(name, type);
  return type;
}

std::optional<TypeId> TagDefiner::define_enum(const DeclSpecifiers& specifiers, const TagSpecifier& tag) {
  auto type = open_definition(specifiers, tag);
  if (!type) return std::nullopt;
  types_.edit(*type).size = 4;
  int64_t next = 0;
  std::unordered_set<std::string_view> names;
  for (const Enumerator& enumerator : tag.enumerators) {
    if (!names.insert(enumerator.name).second)
      fail(Tag::D_UNKNOWN, enumerator.at, "enumerator defined twice: {}", enumerator.name);
    if (failed() || !add_enumerator(enumerator, *type, next)) return std::nullopt;
  }
  return type;
}

bool TagDefiner::add_enumerator(const Enumerator& enumerator, TypeId id, int64_t& next) {
  if (enumerator.value != nullptr) {
    ExprInfo given = expressions_.check(*enumerator.value);
    if (failed()) return false;
    if (!given.constant || !types_.is_integer(given.type)) {
      fail(Tag::D_DECL_ENCONST, enumerator.at, "enumerator must be an integer constant: {}", enumerator.name);
      return false;
    }
    next = static_cast<int64_t>(*given.constant);
    bool is_huge = !types_.is_signed_integer(given.type) && *given.constant > std::numeric_limits<int32_t>::max();
    if (is_huge) next = std::numeric_limits<int64_t>::max();
  }
  if (next < std::numeric_limits<int32_t>::min() || next > std::numeric_limits<int32_t>::max()) {
    fail(Tag::D_DECL_ENOFLOW, enumerator.at, "enumerator does not fit an int: {}", enumerator.name);
    return false;
  }
  if (enumerator.name.find('`') != std::string::npos) {
    fail(Tag::D_DECL_SCOPE, enumerator.at, "a declared name may not contain scoping operators: {}", enumerator.name);
  } else if (names_.is_global_name(enumerator.name) && !context_.in_header) {
    fail(Tag::D_DECL_IDRED, enumerator.at, "identifier redeclared: {}", enumerator.name);
  }
  if (failed()) return false;
  // An enumerator of a header does not replace a name that is taken.
  if (!names_.is_global_name(enumerator.name)) names_.define(enumerator.name, EnumConstant{.type = id, .value = next});
  types_.edit(id).enumerators.push_back({.name = enumerator.name, .value = next++});
  return true;
}

// ---------------------------------------------------------------- members and their layout
std::optional<TypeId> TagDefiner::define_struct(const DeclSpecifiers& specifiers, const TagSpecifier& tag) {
  auto type = open_definition(specifiers, tag);
  if (!type) return std::nullopt;
  // Incomplete up to its closing brace, so that it cannot contain itself.
  TypeKind kind = types_.get(*type).kind;
  types_.edit(*type).kind = TypeKind::Forward;
  type_finder_.begin_definition(*type);
  std::vector<TypeMember> members;
  std::unordered_set<std::string> names;
  uint64_t end_bits = 0;
  uint32_t alignment = 1;
  for (const MemberDecl& member : tag.members) {
    auto added = layout_member(member, kind == TypeKind::Union, end_bits, alignment);
    if (failed()) return std::nullopt;
    if (!added) continue;
    if (!added->name.empty() && !names.insert(added->name).second) {
      fail(Tag::D_UNKNOWN, member.at, "member defined twice: {}", added->name);
      return std::nullopt;
    }
    members.push_back(std::move(*added));
  }
  type_finder_.end_definition(*type);
  Type& defined = types_.edit(*type);
  defined.kind = kind;
  defined.members = std::move(members);
  uint64_t bytes = (end_bits + 7) / 8;
  defined.size = (bytes + alignment - 1) / alignment * alignment;
  return type;
}

// Lays out a member after `end_bits` as C does on this machine. Nullopt for padding (`int : 4;`).
std::optional<TypeMember> TagDefiner::layout_member(const MemberDecl& member, bool is_union, uint64_t& end_bits,
                                                    uint32_t& alignment) {
  auto base = type_builder_.type_of(*member.specifiers);
  if (!base) return std::nullopt;
  TypeMember result{.type = *base};
  if (member.declarator != nullptr) {
    auto declared = type_builder_.declared_type(*base, *member.declarator, member.specifiers->is_userland, false);
    if (!declared) return std::nullopt;
    result.name = member.declarator->name;
    result.type = declared->type;
    if (declared->keys != nullptr)
      fail(Tag::D_DECL_DYNOBJ, member.at, "member may not be an associative array: {}", result.name);
    if (result.name.find('`') != std::string::npos)
      fail(Tag::D_DECL_SCOPE, member.at, "a declared name may not contain scoping operators: {}", result.name);
  }
  if (failed() || !type_builder_.check_object_type(member.at, result.type)) return std::nullopt;
  uint64_t start = is_union ? 0 : end_bits;
  uint64_t unit = types_.alignment_of(type_finder_.complete_element(result.type)) * 8ULL;
  auto aligned = [&](uint64_t bits) { return (bits + unit - 1) / unit * unit; };
  bool is_named = !result.name.empty();
  uint64_t width = type_finder_.size_of(result.type) * 8;
  if (member.bit_width != nullptr) {
    auto bits = bit_field_width(member, result.type);
    if (!bits) return std::nullopt;
    uint64_t storage = width;
    width = result.bit_size = *bits;
    // A bit-field never crosses a unit of its type; width 0 ends the unit.
    if (width == 0 || start / storage != (start + width - 1) / storage) start = aligned(start);
  } else if (!is_named && !types_.is_struct_or_union(result.type)) {
    fail(Tag::D_DECL_MNAME, member.at, "member must have a name");
    return std::nullopt;
  } else {
    start = aligned(start);
  }
  if (start > std::numeric_limits<uint32_t>::max()) {
    fail(Tag::D_DECL_ARRBIG, member.at, "member lies too far from the start of its struct: {}", result.name);
    return std::nullopt;
  }
  result.bit_offset = static_cast<uint32_t>(start);
  end_bits = std::max(end_bits, start + width);
  if (member.bit_width != nullptr && !is_named) return std::nullopt;
  alignment = std::max(alignment, static_cast<uint32_t>(unit / 8));
  return result;
}

std::optional<uint32_t> TagDefiner::bit_field_width(const MemberDecl& member, TypeId type) {
  std::string name = member.declarator != nullptr ? member.declarator->name : std::string("(unnamed)");
  if (!types_.is_integer(type)) {
    fail(Tag::D_DECL_BFTYPE, member.at, "bit-field must have an integer type: {}", name);
    return std::nullopt;
  }
  ExprInfo width = expressions_.check(*member.bit_width);
  if (failed()) return std::nullopt;
  auto bits = width.constant ? static_cast<int64_t>(*width.constant) : -1;
  bool may_be_zero = member.declarator == nullptr;
  if (!types_.is_integer(width.type) || bits < 0 || (bits == 0 && !may_be_zero)) {
    fail(Tag::D_DECL_BFCONST, member.at, "bit-field width must be a positive integer constant: {}", name);
    return std::nullopt;
  }
  if (static_cast<uint64_t>(bits) > types_.size_of(type) * 8) {
    fail(Tag::D_DECL_BFSIZE, member.at, "bit-field is wider than its type: {}", name);
    return std::nullopt;
  }
  return static_cast<uint32_t>(bits);
}

}  // namespace dscope
