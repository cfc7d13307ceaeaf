// ELF files in memory that hold debug information from elsewhere in the form that libdw reads. Private to
// runtime/dwarf.
#pragma once

#include <libelf.h>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace dscope {

struct NamedSection {
  std::string name;
  std::vector<std::byte> bytes;
};

// A relocatable object of 64 bits with these sections.
std::vector<char> make_elf_image(std::span<const NamedSection> sections);

// The bytes of a section, uncompressed if it is compressed in a way that we know: zlib, or zstd if its library is
// here. Nothing if they cannot be had.
std::optional<std::vector<std::byte>> read_uncompressed(Elf_Scn* section);
// Whether a section is compressed in a way that the libelf of this machine may not know.
bool is_compressed_by_zstd(Elf_Scn* section);

}  // namespace dscope
