// The types, declarators and definitions of the syntax tree (ast.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "frontend/syntax/ast_expressions.h"
#include "support/diagnostic.h"

namespace dscope {

struct Declarator;
struct DeclSpecifiers;

enum class StorageClass : uint8_t { None, Auto, Register, Static, Extern, Typedef, Self, This };

enum class BasicType : uint8_t { None, Void, Char, Int, Float, Double, String };

enum class TagKind : uint8_t { Struct, Union, Enum };

struct Enumerator {
  Position at;
  std::string name;
  Expr* value = nullptr;  // null: previous + 1
};

struct MemberDecl {
  DeclSpecifiers* specifiers = nullptr;
  Declarator* declarator = nullptr;  // null: unnamed struct/union member, or unnamed bit-field
  Expr* bit_width = nullptr;         // null: not a bit-field
  Position at;
};

// A struct, union or enum with an optional tag and an optional body.
struct TagSpecifier {
  TagKind kind{};
  std::string module;  // struct mod`tag; empty if unscoped
  std::string tag;     // empty if anonymous
  bool has_body = false;
  std::vector<MemberDecl> members;
  std::vector<Enumerator> enumerators;
};

// A typedef name, possibly scoped: mod`name.
struct NamedType {
  std::string module;
  std::string name;
};

// The words before the declarators. The parser reports words that can never combine (D_DECL_COMBO, _CHARATTR,
// _VOIDATTR, _SIGNINT, _LONGINT, D_DECL_CLASS). The checker does every check that depends on types.
struct DeclSpecifiers {
  Position at;
  StorageClass storage = StorageClass::None;
  bool is_const = false, is_volatile = false, is_restrict = false, is_userland = false;
  bool is_signed = false, is_unsigned = false, is_short = false;
  int long_count = 0;
  BasicType basic = BasicType::None;
  std::variant<std::monostate, NamedType, TagSpecifier> type;  // monostate: basic (or int by default)
};

struct Parameter {
  DeclSpecifiers* specifiers = nullptr;
  Declarator* declarator = nullptr;  // never null; name empty if abstract
  Position at;
};

struct PointerPart {
  bool is_const = false, is_volatile = false, is_restrict = false;
};
struct ArrayPart {
  Expr* size = nullptr;  // null: []
};
// Declarator brackets that contain types: the keys of an associative array or the parameters of an inline.
struct KeysPart {
  std::vector<Parameter> keys;
  bool has_varargs = false;
};
struct FunctionPart {
  std::vector<Parameter> parameters;
  bool has_varargs = false;
};

// Parts are ordered from the name outwards: `char *a[4]` has the name `a` and the parts {Array 4, Pointer}: an array of
// pointers to char.
struct Declarator {
  Position at;
  std::string name;  // empty: abstract
  std::vector<std::variant<PointerPart, ArrayPart, KeysPart, FunctionPart>> parts;
};

// A type as written in casts, sizeof, offsetof, xlate and translators.
struct TypeName {
  Position at;
  DeclSpecifiers* specifiers = nullptr;
  Declarator* declarator = nullptr;  // abstract, never null
};

// ---------------------------------------------------------------- definitions

struct Declaration {
  DeclSpecifiers* specifiers = nullptr;
  std::vector<Declarator*> declarators;
};

struct InlineDefinition {
  DeclSpecifiers* specifiers = nullptr;
  Declarator* declarator = nullptr;
  Expr* value = nullptr;
};

struct TranslatorMember {
  Position at;
  std::string name;
  Expr* value = nullptr;
};

struct TranslatorDefinition {
  TypeName* output = nullptr;
  TypeName* input = nullptr;
  std::string input_name;
  std::vector<TranslatorMember> members;
};

struct ProviderProbe {
  Position at;
  std::string name;
  FunctionPart arguments;
  std::optional<FunctionPart> translated;
};

struct ProviderDefinition {
  std::string name;
  std::vector<ProviderProbe> probes;
  bool accepts_unknown_types = false;  // ParseOptions
};

}  // namespace dscope
