// TypeImporter: libclang types -> rows of a TypeTable, with the sizes and offsets that Clang computes. An importer
// lives for one lookup. Named types go into the table's namespace for headers, where the next lookup finds them.
// Private to headers/.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "contract/types/type.h"
#include "headers/libclang.h"

namespace dscope {

class TypeImporter {
 public:
  TypeImporter(const LibClang& clang, TypeTable& types) : clang_(clang), types_(types) {}

  // `declaration` is a struct, union, enum or typedef. The type is complete when this returns.
  TypeId import_declaration(const CXCursor& declaration);

 private:
  struct Pending {
    TypeId id;
    CXCursor definition;
  };

  TypeId import(const CXType& type);
  TypeId import_by_kind(const CXType& type);
  TypeId import_declared(const CXCursor& declaration);
  TypeId import_typedef(const CXCursor& declaration);
  TypeId import_tagged(const CXCursor& declaration);
  TypeId import_function(const CXType& type);
  TypeId import_array(const CXType& element, long long count);
  TypeId opaque(const CXType& type);
  void fill(const Pending& pending);
  void fill_enum(const Pending& pending);
  void add_field(TypeId record, const CXCursor& field);

  const LibClang& clang_;
  TypeTable& types_;
  std::vector<Pending> pending_;                      // structs and unions whose members are not imported yet
  std::vector<std::pair<CXCursor, TypeId>> unnamed_;  // types that have no name to find them by
  int depth_ = 0;
};

// "struct x", "union x", "enum x", or "struct (anon)" if there is no tag.
std::string tagged_name(const LibClang& clang, const CXCursor& declaration);
// False for declarations without a tag or name.
bool has_name(const LibClang& clang, const CXCursor& declaration);

}  // namespace dscope
