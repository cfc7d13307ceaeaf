// BpfObjectFile: a bounds-checked view of the BPF relocatable that codegen emits: sections, symbols, relocations.
// Parsing a damaged object returns an Error and never reads past its end. Used by the program linker and the loader.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "support/result.h"

namespace dscope {

struct ObjectSection {
  std::string_view name;
  uint32_t index = 0;
  bool is_code = false;  // executable instructions
  bool is_data = false;  // allocated and not code: constant tables, static variables
  bool is_writable = false;
  uint64_t size = 0;
  std::span<const std::byte> bytes;  // empty for .bss, whose size is still set
};

struct ObjectSymbol {
  std::string_view name;
  uint32_t section = 0;  // 0: undefined
  uint64_t value = 0;    // offset in its section
  uint64_t size = 0;
  bool is_function = false;
};

struct ObjectRelocation {
  uint64_t offset = 0;  // in the section it applies to
  uint32_t type = 0;    // R_BPF_64_...
  uint32_t symbol = 0;  // index into symbols()
};

// A function body in a code section.
struct ObjectFunction {
  std::string_view name;
  uint32_t section = 0;
  uint64_t offset = 0, size = 0;
};

class BpfObjectFile {
 public:
  // `bytes` must outlive the result: names and contents are views into it.
  static Result<BpfObjectFile> parse(std::span<const char> bytes);

  // Index 0 is the null section; ELF section numbers are indices.
  const std::vector<ObjectSection>& sections() const { return sections_; }
  const std::vector<ObjectSymbol>& symbols() const { return symbols_; }
  // Sorted by offset.
  const std::vector<ObjectRelocation>& relocations(uint32_t section) const { return relocations_[section]; }

  const ObjectSection* find_section(std::string_view name) const;
  // The function that starts exactly at `offset`; nullptr if there is none.
  const ObjectFunction* find_function(uint32_t section, uint64_t offset) const;
  const ObjectFunction* find_function(std::string_view name) const;

 private:
  std::vector<ObjectSection> sections_;
  std::vector<ObjectSymbol> symbols_;
  std::vector<std::vector<ObjectRelocation>> relocations_;  // by section number
  std::vector<ObjectFunction> functions_;                   // sorted by section and offset

  friend class ObjectReader;
};

}  // namespace dscope
