#include "headers/type_importer.h"

#include <algorithm>
#include <limits>

#include "support/format.h"

namespace dscope {

namespace {

bool is_identifier(std::string_view text) {
  auto is_good = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  return !text.empty() && std::all_of(text.begin(), text.end(), is_good);
}

std::string_view keyword_of(int cursor_kind) {
  if (cursor_kind == CXCursor_EnumDecl) return "enum";
  return cursor_kind == CXCursor_UnionDecl ? "union" : "struct";
}

TypeKind kind_of(int cursor_kind) {
  if (cursor_kind == CXCursor_EnumDecl) return TypeKind::Enum;
  return cursor_kind == CXCursor_UnionDecl ? TypeKind::Union : TypeKind::Struct;
}

// Null for any type that is not a basic type of C.
const char* basic_name(int type_kind) {
  switch (type_kind) {
    case CXType_Void: return "void";
    case CXType_Bool: return "_Bool";
    case CXType_Char_U:
    case CXType_Char_S: return "char";
    case CXType_SChar: return "signed char";
    case CXType_UChar: return "unsigned char";
    case CXType_Short: return "short";
    case CXType_UShort: return "unsigned short";
    case CXType_Int: return "int";
    case CXType_UInt: return "unsigned int";
    case CXType_Long: return "long";
    case CXType_ULong: return "unsigned long";
    case CXType_LongLong: return "long long";
    case CXType_ULongLong: return "unsigned long long";
    case CXType_Float: return "float";
    case CXType_Double: return "double";
    case CXType_LongDouble: return "long double";
    default: return nullptr;
  }
}

}  // namespace

// For a declaration without a tag, Clang's spelling is a description with its location, which differs between releases.
bool has_name(const LibClang& clang, const CXCursor& declaration) { return is_identifier(clang.spelling(declaration)); }

std::string tagged_name(const LibClang& clang, const CXCursor& declaration) {
  std::string tag = clang.spelling(declaration);
  return fmt::format("{} {}", keyword_of(clang.getCursorKind(declaration)), is_identifier(tag) ? tag : "(anon)");
}

TypeId TypeImporter::import_declaration(const CXCursor& declaration) {
  TypeId id = import_declared(declaration);
  while (!pending_.empty()) {
    Pending next = pending_.back();
    pending_.pop_back();
    fill(next);
  }
  return id;
}

TypeId TypeImporter::import_declared(const CXCursor& declaration) {
  return clang_.getCursorKind(declaration) == CXCursor_TypedefDecl ? import_typedef(declaration)
                                                                   : import_tagged(declaration);
}

TypeId TypeImporter::import(const CXType& type) {
  constexpr int max_depth = 500;
  if (depth_ >= max_depth) return opaque(type);
  ++depth_;
  TypeId id = import_by_kind(type);
  --depth_;
  return id;
}

TypeId TypeImporter::import_by_kind(const CXType& type) {
  if (const char* name = basic_name(type.kind)) return *types_.find(name);
  switch (type.kind) {
    case CXType_Pointer: return types_.pointer_to(import(clang_.getPointeeType(type)));
    case CXType_Record:
    case CXType_Enum:
    case CXType_Typedef: return import_declared(clang_.getTypeDeclaration(type));
    case CXType_FunctionProto:
    case CXType_FunctionNoProto: return import_function(type);
    case CXType_ConstantArray: return import_array(clang_.getArrayElementType(type), clang_.getArraySize(type));
    case CXType_Vector: return import_array(clang_.getElementType(type), clang_.getNumElements(type));
    case CXType_IncompleteArray: return import_array(clang_.getArrayElementType(type), 0);
    case CXType_Elaborated: return import(clang_.Type_getNamedType(type));
    case CXType_Attributed: return import(clang_.Type_getModifiedType(type));
    case CXType_Atomic: return import(clang_.Type_getValueType(type));
    default: break;
  }
  CXType canonical = clang_.getCanonicalType(type);
  return canonical.kind == type.kind ? opaque(type) : import(canonical);
}

// Imports a type that D does not have (__int128, _Float16 ...) as bytes.
TypeId TypeImporter::opaque(const CXType& type) {
  long long size = clang_.Type_getSizeOf(type);
  if (size == 1 || size == 2 || size == 4 || size == 8) return types_.integer(static_cast<uint32_t>(size), false);
  if (size <= 0 || size > std::numeric_limits<uint32_t>::max()) return types_.void_type();
  return types_.array_of(types_.integer(1, false), static_cast<uint32_t>(size));
}

TypeId TypeImporter::import_array(const CXType& element, long long count) {
  constexpr long long max_count = std::numeric_limits<uint32_t>::max();
  return types_.array_of(import(element), static_cast<uint32_t>(std::clamp(count, 0LL, max_count)));
}

TypeId TypeImporter::import_function(const CXType& type) {
  Type function{.kind = TypeKind::Function, .base = import(clang_.getResultType(type))};
  for (int i = 0; i < clang_.getNumArgTypes(type); ++i)
    function.parameters.push_back(import(clang_.getArgType(type, static_cast<unsigned>(i))));
  function.has_varargs = clang_.isFunctionTypeVariadic(type) != 0;
  return types_.add(std::move(function));
}

TypeId TypeImporter::import_typedef(const CXCursor& declaration) {
  std::string name = clang_.spelling(declaration);
  if (auto known = types_.find_header(name)) return *known;
  TypeId base = import(clang_.getTypedefDeclUnderlyingType(declaration));
  // A struct may contain pointers to its own typedef, whose import has then defined the name.
  if (auto known = types_.find_header(name)) return *known;
  TypeId id = types_.add({.kind = TypeKind::Typedef, .name = name, .size = types_.size_of(base), .base = base});
  types_.define_header(name, id);
  return id;
}

// Adds the row before its members, so that structs may point to each other. Reuses the row of a forward declaration.
TypeId TypeImporter::import_tagged(const CXCursor& declaration) {
  CXCursor definition = clang_.getCursorDefinition(declaration);
  bool is_defined = clang_.Cursor_isNull(definition) == 0;
  bool is_named = has_name(clang_, declaration);
  std::string name = tagged_name(clang_, declaration);
  auto known = is_named ? types_.find_header(name) : std::nullopt;
  for (const auto& [cursor, id] : unnamed_)
    if (!is_named && clang_.equalCursors(cursor, declaration) != 0) return id;
  if (known && (types_.get(*known).kind != TypeKind::Forward || !is_defined)) return *known;
  TypeId id = known ? *known : types_.add({.kind = TypeKind::Forward, .name = name});
  if (is_named) types_.define_header(name, id);
  else unnamed_.emplace_back(declaration, id);
  if (!is_defined) return id;
  Type& row = types_.edit(id);
  row.kind = kind_of(clang_.getCursorKind(declaration));
  row.size = static_cast<uint64_t>(std::max(clang_.Type_getSizeOf(clang_.getCursorType(definition)), 0LL));
  if (row.kind == TypeKind::Enum) fill_enum({id, definition});
  else pending_.push_back({id, definition});
  return id;
}

// ---------------------------------------------------------------- members and enumerators

void TypeImporter::fill(const Pending& pending) {
  struct Visit {
    TypeImporter* self;
    TypeId record;
  } visit{this, pending.id};
  auto each = [](CXCursor field, void* data) {
    const auto& to = *static_cast<Visit*>(data);
    to.self->add_field(to.record, field);
    return static_cast<int>(CXVisit_Continue);
  };
  clang_.Type_visitFields(clang_.getCursorType(pending.definition), each, &visit);
}

void TypeImporter::add_field(TypeId record, const CXCursor& field) {
  std::string name = clang_.spelling(field);
  bool is_bit_field = clang_.Cursor_isBitField(field) != 0;
  if (!is_identifier(name)) name.clear();
  long long offset = clang_.Cursor_getOffsetOfField(field);
  bool is_padding = name.empty() && is_bit_field;
  if (is_padding || offset < 0 || offset > std::numeric_limits<uint32_t>::max()) return;
  TypeMember member{.name = std::move(name),
                    .type = import(clang_.getCursorType(field)),
                    .bit_offset = static_cast<uint32_t>(offset),
                    .bit_size = is_bit_field ? static_cast<uint32_t>(clang_.getFieldDeclBitWidth(field)) : 0};
  types_.edit(record).members.push_back(std::move(member));
}

void TypeImporter::fill_enum(const Pending& pending) {
  Type& row = types_.edit(pending.id);
  struct Visit {
    const LibClang* clang;
    Type* row;
  } visit{&clang_, &row};
  auto each = [](CXCursor child, CXCursor, void* data) {
    const auto& to = *static_cast<Visit*>(data);
    if (to.clang->getCursorKind(child) == CXCursor_EnumConstantDecl)
      to.row->enumerators.push_back(
          {.name = to.clang->spelling(child), .value = to.clang->getEnumConstantDeclValue(child)});
    return static_cast<int>(CXVisit_Continue);
  };
  clang_.visitChildren(pending.definition, each, &visit);
}

}  // namespace dscope
