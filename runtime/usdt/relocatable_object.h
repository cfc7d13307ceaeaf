// RelocatableObject: builds a relocatable ELF file of either class in memory: sections, symbols and relocations.
// write() creates the file.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/usdt/provider_object.h"
#include "support/result.h"

namespace dscope {

class RelocatableObject {
 public:
  explicit RelocatableObject(ObjectKind kind);

  struct Section {
    std::string name;
    uint32_t type = 0;
    uint64_t flags = 0;
    uint64_t alignment = 1;
    std::string bytes;
  };
  using SectionIndex = size_t;
  using SymbolIndex = size_t;

  SectionIndex add_section(Section section);
  std::string& bytes(SectionIndex section) { return sections_[section].content.bytes; }
  void align(SectionIndex section, size_t alignment, char filler = 0);

  // Defines a weak, hidden symbol: each program and library has one, however many of its objects define it.
  SymbolIndex define(std::string name, SectionIndex section, uint64_t offset, uint64_t size, bool is_function);
  // Refers to a weak symbol, which is 0 if no object defines it.
  SymbolIndex refer(std::string name);

  // Appends a word with a relocation to the address of the symbol.
  void append_address(SectionIndex section, SymbolIndex symbol);
  // Relocates the four bytes at `offset` of the section to the distance of the symbol from them, plus `addend`.
  void relocate_distance(SectionIndex section, uint64_t offset, SymbolIndex symbol, int32_t addend);

  Result<> write(const std::string& path) const;

 private:
  struct Relocation {
    uint64_t offset = 0;
    SymbolIndex symbol = 0;
    bool is_distance = false;
    int64_t addend = 0;
  };
  struct FilledSection {
    Section content;
    std::vector<Relocation> relocations;
  };
  struct Symbol {
    std::string name;
    SectionIndex section = 0;
    uint64_t offset = 0, size = 0;
    bool is_function = false, is_defined = false;
  };
  class Writer;

  ObjectKind kind_;
  std::vector<FilledSection> sections_;
  std::vector<Symbol> symbols_;
};

}  // namespace dscope
