// libclang, Clang's C interface, opened only when a script needs a C header: it is large, and few scripts need it. The
// functions that dscope uses (libclang.def) are one table of pointers. Private to headers/.
#pragma once

#include <string>

namespace dscope {

// Copied from clang-c/Index.h. They are passed by value, so their layout is part of the interface.
using CXIndex = void*;
using CXTranslationUnit = struct CXTranslationUnitImpl*;
using CXDiagnostic = void*;
struct CXString {
  const void* data;
  unsigned private_flags;
};
struct CXCursor {
  int kind;
  int xdata;
  const void* data[3];
};
struct CXType {
  int kind;
  void* data[2];
};
struct CXSourceLocation {
  const void* ptr_data[2];
  unsigned int_data;
};
struct CXUnsavedFile {
  const char* filename;
  const char* contents;
  unsigned long length;
};
using CXCursorVisitor = int (*)(CXCursor cursor, CXCursor parent, void* data);
using CXFieldVisitor = int (*)(CXCursor field, void* data);

enum : int { CXVisit_Break = 0, CXVisit_Continue = 1, CXVisit_Recurse = 2 };
enum : int { CXDiagnostic_Error = 3 };
enum : unsigned {
  CXTranslationUnit_Incomplete = 0x02,
  CXTranslationUnit_SkipFunctionBodies = 0x40,
  CXTranslationUnit_KeepGoing = 0x200
};

enum : int {
  CXCursor_StructDecl = 2,
  CXCursor_UnionDecl = 3,
  CXCursor_EnumDecl = 5,
  CXCursor_FieldDecl = 6,
  CXCursor_EnumConstantDecl = 7,
  CXCursor_TypedefDecl = 20,
};

enum : int {
  CXType_Unexposed = 1,
  CXType_Void = 2,
  CXType_Bool = 3,
  CXType_Char_U = 4,
  CXType_UChar = 5,
  CXType_UShort = 8,
  CXType_UInt = 9,
  CXType_ULong = 10,
  CXType_ULongLong = 11,
  CXType_Char_S = 13,
  CXType_SChar = 14,
  CXType_Short = 16,
  CXType_Int = 17,
  CXType_Long = 18,
  CXType_LongLong = 19,
  CXType_Float = 21,
  CXType_Double = 22,
  CXType_LongDouble = 23,
  CXType_Pointer = 101,
  CXType_Record = 105,
  CXType_Enum = 106,
  CXType_Typedef = 107,
  CXType_FunctionNoProto = 110,
  CXType_FunctionProto = 111,
  CXType_ConstantArray = 112,
  CXType_Vector = 113,
  CXType_IncompleteArray = 114,
  CXType_Elaborated = 119,
  CXType_Attributed = 163,
  CXType_Atomic = 177,
};

struct LibClang {
#define DS_CLANG(result, name, parameters) result(*name) parameters = nullptr;
#include "headers/libclang.def"
#undef DS_CLANG

  // Copies the text of a CXString and disposes of the CXString.
  std::string text(CXString string) const;
  std::string spelling(const CXCursor& cursor) const { return text(getCursorSpelling(cursor)); }
};

// The library, opened by the first call; null if it is not installed. It stays open.
const LibClang* find_libclang();

}  // namespace dscope
