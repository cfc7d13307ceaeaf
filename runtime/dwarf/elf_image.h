// Builds ELF images in memory, so that libdw can read debug sections from elsewhere. Private to runtime/dwarf.
#pragma once

#include <libelf.h>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "runtime/elf/file_budget.h"

namespace dscope {

struct NamedSection {
  std::string name;
  std::vector<std::byte> bytes;
};

// A 64-bit relocatable object with these sections, all of type SHT_PROGBITS.
std::vector<char> make_elf_image(std::span<const NamedSection> sections);

// The bytes of a section, uncompressed from zlib or, if libzstd is installed, from zstd. Nothing if the section is
// empty, damaged, or larger than the budget.
std::optional<std::vector<std::byte>> read_uncompressed(Elf_Scn* section, FileBudget& budget);
// Whether zstd has compressed the section. libelf reads that only since elfutils 0.189.
bool is_compressed_by_zstd(Elf_Scn* section, FileBudget& budget);

}  // namespace dscope
