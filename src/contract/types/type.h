// The one type model of compiler and runtime. Types are rows of a TypeTable, named by TypeId; edges are TypeIds.
// D's own types and imported kernel types live in the same table. Members of imported structs are filled in lazily
// by the Host (see `origin`), so that naming `struct task_struct` does not import the whole kernel.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "catalog/data_model.h"

namespace dscope {

struct TypeId {
  uint32_t index = 0;  // 0 is TypeTable::error_type()
  bool operator==(const TypeId&) const = default;
};

enum class TypeKind : uint8_t {
  Error,  // an expression with a reported mistake: suppresses further diagnostics
  Void,
  Integer,   // size, is_signed, is_char (prints as text in arrays), is_bool
  Float,     // size
  Pointer,   // base
  Array,     // base, count (0: flexible or unknown)
  Struct,    // members
  Union,     // members
  Enum,      // enumerators; 32-bit signed in expressions unless size says otherwise
  Typedef,   // base
  Function,  // base = result, parameters
  Forward,   // struct/union/enum named but not defined
  String,    // D string: size = strsize + 1
  Stack,     // stack() ustack() jstack()
  SymAddr,   // sym func mod
  UsymAddr,  // usym ufunc umod uaddr
  Dynamic,   // aggregation reference, untyped associative array, translated object
};

struct TypeMember {
  std::string name;  // empty: unnamed struct/union or bit-field padding
  TypeId type;
  uint32_t bit_offset = 0;  // from the start of the enclosing type
  uint32_t bit_size = 0;    // 0: not a bit-field
};

struct TypeEnumerator {
  std::string name;
  int64_t value = 0;
};

struct Type {
  TypeKind kind = TypeKind::Error;
  // The C spelling without qualifiers: "int", "struct task_struct", "pid_t". Pointers and arrays have no name here;
  // TypeTable::spell returns "char *".
  std::string name;
  uint64_t size = 0;  // bytes; 0 if unknown or void
  bool is_signed = false;
  bool is_char = false;
  bool is_bool = false;
  // For a pointer: its target is user memory (userland T *, and some args[]). For another type: it belongs to a
  // process, so that pointers to it are userland pointers.
  bool is_userland = false;
  TypeId base;
  uint32_t count = 0;
  std::vector<TypeMember> members;
  std::vector<TypeEnumerator> enumerators;
  std::vector<TypeId> parameters;
  std::vector<TypeId> arguments;  // types that an instance of a template or generic type was made with
  bool has_varargs = false;
  // For imported types: the number by which the Host finds the definition, and whether its members are filled in.
  uint32_t origin = 0;  // 0: a type of D itself
  bool is_complete = true;
};

class TypeTable {
 public:
  // strsize: capacity of `string` in characters, without the terminator (option strsize).
  explicit TypeTable(uint32_t strsize = 256, DataModel model = DataModel::Lp64);

  const Type& get(TypeId id) const { return types_[id.index]; }
  Type& edit(TypeId id) { return types_[id.index]; }
  size_t size() const { return types_.size(); }
  TypeId add(Type type);

  static constexpr TypeId error_type() { return TypeId{0}; }
  TypeId void_type() const { return void_; }
  // Integers of C by size in bytes (1, 2, 4, 8); named char/short/int/long.
  TypeId integer(uint32_t size, bool is_signed) const;
  TypeId int_type() const { return integer(4, true); }
  TypeId long_long(bool is_signed) const { return is_signed ? long_long_ : unsigned_long_long_; }
  TypeId plain_char() const { return char_; }
  TypeId string_type() const { return string_; }
  TypeId dynamic_type() const { return dynamic_; }

  // `size`: bytes, 8, or 4 in a 32-bit process. Pointers to types of a process are always userland pointers.
  TypeId pointer_to(TypeId base, bool is_userland = false, uint32_t size = 8);
  // Pointers as D programs declare them: 4 bytes under -32, unless the target is a kernel type.
  TypeId declared_pointer_to(TypeId base, bool is_userland);
  TypeId array_of(TypeId base, uint32_t count);

  // Looks up a name among the types added with define(). As in C, "struct x" and the typedef x are distinct. Built-in
  // are all C integer spellings and the D typedefs of d-language.md 3.1 (int8_t ... pid_t, size_t, string).
  std::optional<TypeId> find(std::string_view name) const;
  void define(std::string_view name, TypeId id);
  // Look up and add types of included C headers (D's pseudo object C) in a separate name space, which starts empty.
  std::optional<TypeId> find_header(std::string_view name) const;
  void define_header(std::string_view name, TypeId id);
  // Returns the type after resolving all typedefs.
  TypeId resolve(TypeId id) const;
  const Type& resolved(TypeId id) const { return get(resolve(id)); }
  // Returns the type in C syntax: "struct task_struct *", "char [16]", "int (*)()", "string".
  std::string spell(TypeId id) const;

  bool is_integer(TypeId id) const;  // Integer or Enum after typedefs
  bool is_pointer(TypeId id) const;
  bool is_scalar(TypeId id) const;  // integer, enum, pointer
  bool is_string(TypeId id) const;  // D string
  bool is_struct_or_union(TypeId id) const;
  bool is_string_compatible(TypeId id) const;  // string, char *, char [] (any sign, through typedefs)
  bool is_signed_integer(TypeId id) const;
  // Returns the bytes of an array, at most 2^48.
  static uint64_t array_size(uint64_t count, uint64_t element_size);
  uint64_t size_of(TypeId id) const;  // after typedefs; arrays multiplied out
  uint32_t alignment_of(TypeId id) const;
  // Longer strings are truncated: calls of the support library pack several sizes in one number.
  static constexpr uint32_t max_strsize = 262135;
  uint32_t strsize() const { return strsize_; }
  void set_strsize(uint32_t characters);

 private:
  // C's integer types, and the typedefs that every D program may use.
  void add_integers();
  void add_typedefs();

  struct NameHash {
    using is_transparent = void;
    size_t operator()(std::string_view name) const { return std::hash<std::string_view>{}(name); }
  };
  std::deque<Type> types_;
  using Names = std::unordered_map<std::string, TypeId, NameHash, std::equal_to<>>;
  Names names_, header_names_;
  std::unordered_map<uint64_t, TypeId> pointers_, arrays_;
  uint32_t strsize_;
  DataModel model_;
  TypeId void_, char_, string_, dynamic_, long_long_, unsigned_long_long_;
  TypeId integers_[2][9];
};

}  // namespace dscope
