#include "contract/types/type.h"

#include <algorithm>
#include <bit>

#include "support/check.h"
#include "support/format.h"

namespace dscope {

TypeTable::TypeTable(uint32_t strsize, DataModel model) : strsize_(strsize), model_(model) {
  add({.kind = TypeKind::Error, .name = "<error>"});
  void_ = add({.kind = TypeKind::Void, .name = "void"});
  define("void", void_);
  add_integers();
  for (auto [name, size] : {std::pair{"float", 4U}, {"double", 8U}, {"long double", 16U}})
    define(name, add({.kind = TypeKind::Float, .name = name, .size = size}));
  string_ = add({.kind = TypeKind::String, .name = "string", .size = strsize + 1ULL});
  TypeId stack = add({.kind = TypeKind::Stack, .name = "stack"});
  TypeId symaddr = add({.kind = TypeKind::SymAddr, .name = "_symaddr", .size = 8});
  TypeId usymaddr = add({.kind = TypeKind::UsymAddr, .name = "_usymaddr", .size = 16});
  dynamic_ = add({.kind = TypeKind::Dynamic, .name = "<DYN>"});
  define("string", string_);
  define("stack", stack);
  define("_symaddr", symaddr);
  define("_usymaddr", usymaddr);
  add_typedefs();
}

void TypeTable::add_integers() {
  auto integer_type = [&](const char* name, uint32_t size, bool is_signed) {
    TypeId id = add({.kind = TypeKind::Integer, .name = name, .size = size, .is_signed = is_signed});
    define(name, id);
    return id;
  };
  auto keep = [&](const char* name, uint32_t size, bool is_signed) {
    return integers_[is_signed][size] = integer_type(name, size, is_signed);
  };
  char_ = keep("char", 1, true);
  edit(char_).is_char = true;
  edit(integer_type("signed char", 1, true)).is_char = true;
  edit(keep("unsigned char", 1, false)).is_char = true;
  keep("short", 2, true);
  keep("unsigned short", 2, false);
  keep("int", 4, true);
  keep("unsigned int", 4, false);
  define("unsigned", integers_[0][4]);
  bool is_lp64 = model_ == DataModel::Lp64;
  uint32_t long_size = is_lp64 ? 8 : 4;
  long_long_ = integer_type("long long", 8, true);
  unsigned_long_long_ = integer_type("unsigned long long", 8, false);
  TypeId long_type = integer_type("long", long_size, true);
  TypeId unsigned_long = integer_type("unsigned long", long_size, false);
  integers_[1][8] = is_lp64 ? long_type : long_long_;
  integers_[0][8] = is_lp64 ? unsigned_long : unsigned_long_long_;
  edit(integer_type("_Bool", 1, false)).is_bool = true;
}

void TypeTable::add_typedefs() {
  auto alias = [&](const char* name, TypeId base) {
    define(name, add({.kind = TypeKind::Typedef, .name = name, .size = get(base).size, .base = base}));
  };
  bool is_lp64 = model_ == DataModel::Lp64;
  TypeId long_type = *find("long"), unsigned_long = *find("unsigned long");
  alias("int8_t", integers_[1][1]);
  alias("uint8_t", integers_[0][1]);
  alias("uchar_t", integers_[0][1]);
  alias("int16_t", integers_[1][2]);
  alias("uint16_t", integers_[0][2]);
  alias("ushort_t", integers_[0][2]);
  alias("int32_t", integers_[1][4]);
  alias("uint32_t", integers_[0][4]);
  alias("uint_t", integers_[0][4]);
  alias("int64_t", integers_[1][8]);
  alias("uint64_t", integers_[0][8]);
  alias("ulong_t", unsigned_long);
  alias("longlong_t", long_long_);
  alias("u_longlong_t", unsigned_long_long_);
  alias("intptr_t", is_lp64 ? long_type : integers_[1][4]);
  alias("ssize_t", is_lp64 ? long_type : integers_[1][4]);
  alias("ptrdiff_t", is_lp64 ? long_type : integers_[1][4]);
  alias("uintptr_t", is_lp64 ? unsigned_long : integers_[0][4]);
  alias("size_t", is_lp64 ? unsigned_long : integers_[0][4]);
  alias("pid_t", is_lp64 ? integers_[1][4] : long_type);
  alias("id_t", is_lp64 ? integers_[1][4] : long_type);
  alias("processorid_t", integers_[1][4]);
  alias("uid_t", integers_[0][4]);
  alias("gid_t", integers_[0][4]);
  alias("ipaddr_t", integers_[0][4]);  // for inet_ntoa()
}

TypeId TypeTable::add(Type type) {
  types_.push_back(std::move(type));
  return TypeId{static_cast<uint32_t>(types_.size() - 1)};
}

TypeId TypeTable::integer(uint32_t size, bool is_signed) const {
  DS_CHECK(size == 1 || size == 2 || size == 4 || size == 8);
  return integers_[is_signed][size];
}

TypeId TypeTable::pointer_to(TypeId base, bool is_userland, uint32_t size) {
  TypeId object = base;
  while (get(object).kind == TypeKind::Array) object = get(object).base;
  is_userland |= get(object).is_userland && get(object).kind != TypeKind::Pointer;
  uint64_t key = uint64_t{base.index} << 2 | (is_userland ? 1 : 0) | (size == 4 ? 2 : 0);
  auto [entry, is_new] = pointers_.try_emplace(key, TypeId{});
  if (is_new) entry->second = add({.kind = TypeKind::Pointer, .size = size, .is_userland = is_userland, .base = base});
  return entry->second;
}

TypeId TypeTable::declared_pointer_to(TypeId base, bool is_userland) {
  TypeId object = base;
  while (get(object).kind == TypeKind::Array || get(object).kind == TypeKind::Pointer) object = get(object).base;
  bool is_short = model_ == DataModel::Ilp32 && get(object).origin == 0;
  return pointer_to(base, is_userland, is_short ? 4 : 8);
}

TypeId TypeTable::array_of(TypeId base, uint32_t count) {
  uint64_t key = uint64_t{base.index} << 32 | count;
  auto [entry, is_new] = arrays_.try_emplace(key, TypeId{});
  if (is_new) entry->second = add({.kind = TypeKind::Array, .base = base, .count = count});
  return entry->second;
}

std::optional<TypeId> TypeTable::find(std::string_view name) const {
  auto found = names_.find(name);
  if (found == names_.end()) return std::nullopt;
  return found->second;
}

void TypeTable::define(std::string_view name, TypeId id) { names_[std::string(name)] = id; }

std::optional<TypeId> TypeTable::find_header(std::string_view name) const {
  auto found = header_names_.find(name);
  if (found == header_names_.end()) return std::nullopt;
  return found->second;
}

void TypeTable::define_header(std::string_view name, TypeId id) { header_names_[std::string(name)] = id; }

TypeId TypeTable::resolve(TypeId id) const {
  while (get(id).kind == TypeKind::Typedef) id = get(id).base;
  return id;
}

namespace {

// C declarator syntax is inside-out: `inner` is the text so far, from the name outwards.
std::string spell_around(const TypeTable& types, TypeId id, const std::string& inner) {
  const Type& type = types.get(id);
  switch (type.kind) {
    case TypeKind::Pointer: {
      TypeKind target = types.get(type.base).kind;
      bool needs_parentheses = target == TypeKind::Array || target == TypeKind::Function;
      return spell_around(types, type.base, needs_parentheses ? "(*" + inner + ")" : "*" + inner);
    }
    case TypeKind::Array:
      return spell_around(types, type.base,
                          inner + (type.count == 0 ? std::string("[]") : fmt::format("[{}]", type.count)));
    case TypeKind::Function: {
      std::string list;
      for (TypeId parameter : type.parameters) list += (list.empty() ? "" : ", ") + types.spell(parameter);
      if (type.has_varargs) list += list.empty() ? "..." : ", ...";
      return spell_around(types, type.base, inner + "(" + list + ")");
    }
    case TypeKind::Error:
    case TypeKind::Void:
    case TypeKind::Integer:
    case TypeKind::Float:
    case TypeKind::Struct:
    case TypeKind::Union:
    case TypeKind::Enum:
    case TypeKind::Typedef:
    case TypeKind::Forward:
    case TypeKind::String:
    case TypeKind::Stack:
    case TypeKind::SymAddr:
    case TypeKind::UsymAddr:
    case TypeKind::Dynamic: break;
  }
  return inner.empty() ? type.name : type.name + " " + inner;
}

}  // namespace

std::string TypeTable::spell(TypeId id) const { return spell_around(*this, id, ""); }

bool TypeTable::is_integer(TypeId id) const {
  TypeKind kind = resolved(id).kind;
  return kind == TypeKind::Integer || kind == TypeKind::Enum;
}
bool TypeTable::is_pointer(TypeId id) const { return resolved(id).kind == TypeKind::Pointer; }
bool TypeTable::is_scalar(TypeId id) const { return is_integer(id) || is_pointer(id); }
bool TypeTable::is_string(TypeId id) const { return resolved(id).kind == TypeKind::String; }
bool TypeTable::is_struct_or_union(TypeId id) const {
  TypeKind kind = resolved(id).kind;
  return kind == TypeKind::Struct || kind == TypeKind::Union;
}
bool TypeTable::is_string_compatible(TypeId id) const {
  const Type& type = resolved(id);
  if (type.kind == TypeKind::String) return true;
  if (type.kind != TypeKind::Pointer && type.kind != TypeKind::Array) return false;
  const Type& base = resolved(type.base);
  return base.kind == TypeKind::Integer && base.is_char;
}
// In D, enums of the kernel are signed, whatever its compiler chose. Enums of programs have the sign of their compiler.
bool TypeTable::is_signed_integer(TypeId id) const {
  const Type& type = resolved(id);
  if (type.kind == TypeKind::Enum && !type.is_userland) return true;
  return (type.kind == TypeKind::Enum || type.kind == TypeKind::Integer) && type.is_signed;
}

uint64_t TypeTable::size_of(TypeId id) const {
  const Type& type = resolved(id);
  return type.kind == TypeKind::Array ? array_size(type.count, size_of(type.base)) : type.size;
}

uint64_t TypeTable::array_size(uint64_t count, uint64_t element_size) {
  constexpr uint64_t max_size = uint64_t{1} << 48;
  return element_size != 0 && count > max_size / element_size ? max_size : count * element_size;
}

uint32_t TypeTable::alignment_of(TypeId id) const {
  const Type& type = resolved(id);
  switch (type.kind) {
    case TypeKind::Array: return alignment_of(type.base);
    case TypeKind::String: return 1;
    case TypeKind::Struct:
    case TypeKind::Union: {
      uint32_t widest = 1;
      for (const TypeMember& member : type.members) widest = std::max(widest, alignment_of(member.type));
      return widest;
    }
    case TypeKind::Integer:
    case TypeKind::Float:
    case TypeKind::Pointer:
    case TypeKind::Enum:
      if (type.size == 0) return 1;
      // long double of 32-bit programs has 12 bytes.
      return std::has_single_bit(type.size) ? static_cast<uint32_t>(std::min<uint64_t>(type.size, 16)) : 4;
    case TypeKind::Error:
    case TypeKind::Void:
    case TypeKind::Typedef:
    case TypeKind::Function:
    case TypeKind::Forward:
    case TypeKind::Stack:
    case TypeKind::SymAddr:
    case TypeKind::UsymAddr:
    case TypeKind::Dynamic: return 8;
  }
  DS_UNREACHABLE();
}

void TypeTable::set_strsize(uint32_t characters) {
  strsize_ = characters;
  edit(string_).size = characters + 1ULL;
}

}  // namespace dscope
