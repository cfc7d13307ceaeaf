#include "runtime/dwarf/section_sizes.h"

#include <elf.h>
#include <gelf.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <string_view>

#include "runtime/elf/bounded_elf.h"

namespace dscope {

namespace {

template <typename Header>
uint64_t compressed_size(int fd, const GElf_Shdr& section) {
  Header header{};
  bool is_read = ::pread(fd, &header, sizeof header, static_cast<off_t>(section.sh_offset)) == sizeof header;
  return is_read ? uint64_t{header.ch_size} : 0;
}

// Sections named .zdebug_* begin with "ZLIB" and the uncompressed size in big-endian order.
uint64_t old_compressed_size(int fd, const GElf_Shdr& section) {
  unsigned char header[12] = {};
  if (::pread(fd, header, sizeof header, static_cast<off_t>(section.sh_offset)) != sizeof header) return 0;
  uint64_t size = 0;
  for (size_t i = 4; i < sizeof header; ++i) size = size << 8 | header[i];
  return size;
}

bool starts_with(const char* name, std::string_view prefix) {
  return std::strncmp(name, prefix.data(), prefix.size()) == 0;
}

// Visits sections with bytes in the file until `visit` returns false. Returns false then.
bool for_each_section(Elf* elf, FileBudget& budget,
                      const std::function<bool(const char* name, const GElf_Shdr& header)>& visit) {
  size_t names = 0;
  if (elf_getshdrstrndx(elf, &names) != 0) return true;
  for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf, section)) != nullptr;) {
    GElf_Shdr header;
    if (!budget.has_time()) return false;
    if (gelf_getshdr(section, &header) == nullptr || header.sh_type == SHT_NOBITS) continue;
    const char* name = elf_strptr(elf, names, header.sh_name);
    if (name != nullptr && !visit(name, header)) return false;
  }
  return true;
}

}  // namespace

bool debug_sections_fit(int fd, FileBudget& budget) {
  ElfHandle elf = open_elf(fd, budget);
  if (!elf) return false;
  bool is_32bit = gelf_getclass(elf.get()) == ELFCLASS32;
  return for_each_section(elf.get(), budget, [&](const char* name, const GElf_Shdr& header) {
    bool is_old = starts_with(name, ".zdebug_");
    if (!is_old && !starts_with(name, ".debug_") && !starts_with(name, ".gnu_debug")) return true;
    if (!budget.take(header.sh_size)) return false;
    if (is_old) return budget.take(old_compressed_size(fd, header));
    if ((header.sh_flags & SHF_COMPRESSED) == 0) return true;
    return budget.take(is_32bit ? compressed_size<Elf32_Chdr>(fd, header) : compressed_size<Elf64_Chdr>(fd, header));
  });
}

bool frame_sections_fit(int fd, FileBudget& budget) {
  ElfHandle elf = open_elf(fd, budget);
  if (!elf) return false;
  bool has_section = false;
  bool fits = for_each_section(elf.get(), budget, [&](const char* name, const GElf_Shdr& header) {
    if (!starts_with(name, ".eh_frame")) return true;
    has_section = true;
    return budget.take(header.sh_size);
  });
  if (!fits || has_section) return fits;
  // Without sections, libdw reads the table through the segments.
  size_t count = 0;
  if (elf_getphdrnum(elf.get(), &count) != 0) return true;
  for (size_t i = 0; i < count; ++i) {
    GElf_Phdr segment;
    if (gelf_getphdr(elf.get(), static_cast<int>(i), &segment) == nullptr) continue;
    bool is_read = segment.p_type == PT_LOAD || segment.p_type == PT_GNU_EH_FRAME;
    if (is_read && !budget.take(segment.p_filesz)) return false;
  }
  return true;
}

uint64_t size_of_rows(std::span<const std::byte> lines, uint64_t offset) {
  constexpr uint64_t row_size = 72;  // of a row of libdw
  uint32_t length = 0;
  if (offset >= lines.size() || lines.size() - offset < sizeof length) return 0;
  std::memcpy(&length, lines.data() + offset, sizeof length);
  // A larger number announces a 64-bit length.
  return std::min<uint64_t>(length, lines.size() - offset) * row_size;
}

}  // namespace dscope
