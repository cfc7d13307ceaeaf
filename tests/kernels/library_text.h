// The definitions in the D libraries, read from their texts: a library that does not compile for a kernel must not hide
// its definitions from the test.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace dscope {

// Objects that a translator makes can be printed, but not traced.
enum class ValueKind : uint8_t { Plain, Object, PointerToObject };

struct LibraryInline {
  std::string name;
  ValueKind kind = ValueKind::Plain;
  std::vector<std::string> parameters;  // their types
};

struct LibraryTranslator {
  std::string output, input;  // "fileinfo_t", "struct file *"
  struct Member {
    std::string name;
    ValueKind kind = ValueKind::Plain;
  };
  std::vector<Member> members;
};

struct LibraryText {
  std::string file;  // "io.d"
  std::vector<LibraryInline> inlines;
  std::vector<LibraryTranslator> translators;
};

// All libraries of a folder, by name.
std::vector<LibraryText> read_libraries(const std::string& folder);

}  // namespace dscope
