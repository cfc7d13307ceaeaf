// Types as D writes them: specifiers, and the structs, unions and enums that D programs define (d-language.md 2.2, 3).
#include <algorithm>
#include <limits>

#include "frontend/check/checker.h"
#include "support/check.h"

namespace dscope {

std::optional<TypeId> Checker::type_of(const DeclSpecifiers& specifiers) {
  if (const auto* named = std::get_if<NamedType>(&specifiers.type)) return named_type(specifiers, *named);
  if (const auto* tag = std::get_if<TagSpecifier>(&specifiers.type)) return tagged_type(specifiers, *tag);
  return basic_type(specifiers);
}

std::optional<TypeId> Checker::basic_type(const DeclSpecifiers& specifiers) {
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

// The type of that name that D programs and libraries declare: the pseudo object D.
std::optional<TypeId> Checker::find_program_type(const std::string& name) const {
  auto known = types_.find(name);
  return known && types_.get(*known).origin == 0 ? known : std::nullopt;
}

// The type of that name that included headers declare: the pseudo object C.
std::optional<TypeId> Checker::find_header_type(const std::string& name) const {
  auto known = types_.find_header(name);
  if (headers_ == nullptr || (known && types_.get(*known).kind != TypeKind::Forward)) return known;
  auto found = headers_->find_type(types_, name);
  return found ? found : known;
}

// Where a declaration's types go: the pseudo object C in included headers, else D.
std::optional<TypeId> Checker::find_own_type(const std::string& name) const {
  return in_header_ ? types_.find_header(name) : find_program_type(name);
}

void Checker::define_own_type(const std::string& name, TypeId type) {
  if (in_header_) types_.define_header(name, type);
  else types_.define(name, type);
}

// Types of headers (C) first, then those of D programs, then the kernel's, which headers do not see.
std::optional<TypeId> Checker::find_type(const std::string& module, const std::string& name) {
  if (module == "C") return find_header_type(name);
  if (module == "D") return find_program_type(name);
  if (!module.empty()) return host_.find_type(types_, module, name);
  std::optional<TypeId> forward;
  for (auto known : {find_header_type(name), find_program_type(name)}) {
    // A forward declaration does not hide a definition, but a struct may name itself while it is being defined.
    if (known && (types_.get(*known).kind != TypeKind::Forward || defining_.contains(known->index))) return known;
    if (!forward) forward = known;
  }
  if (in_header_) return forward;
  auto found = host_.find_type(types_, module, name);
  bool is_defined = found && types_.get(*found).kind != TypeKind::Forward;
  if (auto emulated = is_defined ? std::nullopt : find_solaris_type(name)) return emulated;
  return found ? found : forward;
}

// With compat=solaris: time_t is what D's library calls __solaris_time_t.
std::optional<TypeId> Checker::find_solaris_type(const std::string& name) const {
  if (!is_solaris_mode()) return std::nullopt;
  size_t tag = name.rfind(' ') + 1;
  return find_program_type(name.substr(0, tag) + "__solaris_" + name.substr(tag));
}

std::nullopt_t Checker::unknown_type(const DeclSpecifiers& specifiers, const std::string& module,
                                     const std::string& shown) {
  fail(Tag::D_UNKNOWN, specifiers.at, "failed to resolve type {}: Unknown type name", shown);
  if (std::string reason = host_.why_no_type(module); !reason.empty()) diagnostics_.hint(std::move(reason));
  return std::nullopt;
}

// A number, as far as is known: the C compiler finds out.
TypeId Checker::add_program_type(const std::string& name) {
  TypeId number = types_.integer(sizeof(long), true);
  TypeId type = types_.add({.kind = TypeKind::Typedef, .name = name, .size = sizeof(long), .base = number});
  define_own_type(name, type);
  return type;
}

std::optional<TypeId> Checker::named_type(const DeclSpecifiers& specifiers, const NamedType& name) {
  std::string shown = name.module.empty() ? name.name : name.module + "`" + name.name;
  auto type = find_type(name.module, name.name);
  if (!type && takes_unknown_types_ && name.module.empty()) type = add_program_type(name.name);
  if (!type) return unknown_type(specifiers, name.module, shown);
  if (specifiers.is_signed || specifiers.is_unsigned)
    fail(Tag::D_DECL_SIGNINT, specifiers.at, "signed and unsigned may not be used with {}", shown);
  else if (specifiers.long_count > 0 || specifiers.is_short)
    fail(Tag::D_DECL_LONGINT, specifiers.at, "long and short may not be used with {}", shown);
  if (failed()) return std::nullopt;
  return type;
}

// ---------------------------------------------------------------- struct, union, enum

namespace {

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

}  // namespace

std::optional<TypeId> Checker::tagged_type(const DeclSpecifiers& specifiers, const TagSpecifier& tag) {
  if (tag.has_body) return tag.kind == TagKind::Enum ? define_enum(specifiers, tag) : define_struct(specifiers, tag);
  std::string name = tag_name(tag);
  if (auto known = find_type(tag.module, name)) return known;
  if (!tag.module.empty())
    return unknown_type(specifiers, tag.module, fmt::format("{} {}`{}", to_text(tag.kind), tag.module, tag.tag));
  TypeId type = types_.add({.kind = TypeKind::Forward, .name = name});
  define_own_type(name, type);
  return type;
}

// The row a definition fills: that of its forward declaration, so that pointers to it see the members, or a new one.
std::optional<TypeId> Checker::new_tag(const DeclSpecifiers& specifiers, const TagSpecifier& tag) {
  TypeKind kind = tag.kind == TagKind::Enum     ? TypeKind::Enum
                  : tag.kind == TagKind::Struct ? TypeKind::Struct
                                                : TypeKind::Union;
  std::string name = tag_name(tag);
  // Only in messages: a type without a name.
  if (name.empty()) return types_.add({.kind = kind, .name = fmt::format("{} (anon)", to_text(tag.kind))});
  if (name.find('`') != std::string::npos) {
    fail(Tag::D_DECL_SCOPE, specifiers.at, "a declared name may not contain scoping marks: {}", name);
    return std::nullopt;
  }
  if (auto known = find_own_type(name)) {
    if (types_.get(*known).kind != TypeKind::Forward) {
      fail(Tag::D_DECL_TYPERED, specifiers.at, "type redeclared: {}", name);
      return std::nullopt;
    }
    types_.edit(*known).kind = kind;
    return known;
  }
  TypeId type = types_.add({.kind = kind, .name = name});
  define_own_type(name, type);
  return type;
}

std::optional<TypeId> Checker::define_enum(const DeclSpecifiers& specifiers, const TagSpecifier& tag) {
  auto type = new_tag(specifiers, tag);
  if (!type) return std::nullopt;
  types_.edit(*type).size = 4;
  int64_t next = 0;
  for (const Enumerator& enumerator : tag.enumerators)
    if (!add_enumerator(enumerator, *type, next)) return std::nullopt;
  return type;
}

bool Checker::add_enumerator(const Enumerator& enumerator, TypeId id, int64_t& next) {
  if (enumerator.value != nullptr) {
    ExprInfo given = check(*enumerator.value);
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
  const std::vector<TypeEnumerator>& others = types_.get(id).enumerators;
  bool is_double = std::any_of(others.begin(), others.end(),
                               [&](const TypeEnumerator& other) { return other.name == enumerator.name; });
  if (is_double) {
    fail(Tag::D_UNKNOWN, enumerator.at, "enumerator defined twice: {}", enumerator.name);
  } else if (enumerator.name.find('`') != std::string::npos) {
    fail(Tag::D_DECL_SCOPE, enumerator.at, "a declared name may not contain scoping marks: {}", enumerator.name);
  } else if (is_global_name(enumerator.name) && !in_header_) {
    fail(Tag::D_DECL_IDRED, enumerator.at, "identifier redeclared: {}", enumerator.name);
  }
  if (failed()) return false;
  // One of a header gives way to a name that is taken.
  if (!is_global_name(enumerator.name)) globals_[enumerator.name] = EnumConstant{.type = id, .value = next};
  types_.edit(id).enumerators.push_back({.name = enumerator.name, .value = next++});
  return true;
}

// ---------------------------------------------------------------- members and their layout

std::optional<TypeId> Checker::define_struct(const DeclSpecifiers& specifiers, const TagSpecifier& tag) {
  auto type = new_tag(specifiers, tag);
  if (!type) return std::nullopt;
  // Until its end is reached a struct cannot contain itself.
  TypeKind kind = types_.get(*type).kind;
  types_.edit(*type).kind = TypeKind::Forward;
  defining_.insert(type->index);
  std::vector<TypeMember> members;
  uint64_t end_bits = 0;
  uint32_t alignment = 1;
  for (const MemberDecl& member : tag.members) {
    auto added = layout_member(member, kind == TypeKind::Union, end_bits, alignment);
    if (failed()) return std::nullopt;
    if (!added) continue;
    bool is_double = !added->name.empty() && std::any_of(members.begin(), members.end(), [&](const TypeMember& other) {
      return other.name == added->name;
    });
    if (is_double) {
      fail(Tag::D_UNKNOWN, member.at, "member defined twice: {}", added->name);
      return std::nullopt;
    }
    members.push_back(std::move(*added));
  }
  defining_.erase(type->index);
  Type& defined = types_.edit(*type);
  defined.kind = kind;
  defined.members = std::move(members);
  uint64_t bytes = (end_bits + 7) / 8;
  defined.size = (bytes + alignment - 1) / alignment * alignment;
  return type;
}

// Places a member behind `end_bits` as C does on this machine. Nothing for padding: `int : 4;`.
std::optional<TypeMember> Checker::layout_member(const MemberDecl& member, bool is_union, uint64_t& end_bits,
                                                 uint32_t& alignment) {
  auto base = type_of(*member.specifiers);
  if (!base) return std::nullopt;
  TypeMember result{.type = *base};
  if (member.declarator != nullptr) {
    auto declared = declared_type(*base, *member.declarator, member.specifiers->is_userland, false);
    if (!declared) return std::nullopt;
    result.name = member.declarator->name;
    result.type = declared->type;
    if (declared->keys != nullptr)
      fail(Tag::D_DECL_DYNOBJ, member.at, "member may not be an associative array: {}", result.name);
    if (result.name.find('`') != std::string::npos)
      fail(Tag::D_DECL_SCOPE, member.at, "a declared name may not contain scoping marks: {}", result.name);
  }
  if (failed() || !check_object_type(member.at, result.type)) return std::nullopt;
  uint64_t start = is_union ? 0 : end_bits;
  uint64_t unit = types_.alignment_of(complete_member(result.type)) * 8ULL;
  auto aligned = [&](uint64_t bits) { return (bits + unit - 1) / unit * unit; };
  bool is_named = !result.name.empty();
  uint64_t width = size_of(result.type) * 8;
  if (member.bit_width != nullptr) {
    auto bits = bit_field_width(member, result.type);
    if (!bits) return std::nullopt;
    uint64_t storage = width;
    width = result.bit_size = *bits;
    // A bit-field lies within one unit of its type; width 0 ends the unit.
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

TypeId Checker::complete_member(TypeId type) {
  TypeId object = type;
  while (types_.resolved(object).kind == TypeKind::Array) object = types_.resolved(object).base;
  complete(object);
  return type;
}

std::optional<uint32_t> Checker::bit_field_width(const MemberDecl& member, TypeId type) {
  std::string name = member.declarator != nullptr ? member.declarator->name : std::string("(unnamed)");
  if (!types_.is_integer(type)) {
    fail(Tag::D_DECL_BFTYPE, member.at, "bit-field must have an integer type: {}", name);
    return std::nullopt;
  }
  ExprInfo width = check(*member.bit_width);
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
