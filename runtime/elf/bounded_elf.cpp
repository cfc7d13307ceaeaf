#include "runtime/elf/bounded_elf.h"

#include <elf.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

namespace dscope {

namespace {

// Memory that libelf takes for a section and for a segment, generously.
constexpr uint64_t section_cost = 512, segment_cost = 64;

template <typename Value>
bool read_at(int fd, uint64_t offset, Value& value) {
  return ::pread(fd, &value, sizeof value, static_cast<off_t>(offset)) == sizeof value;
}

// Counts the tables that the header describes. Large numbers are in the first section: its size is the number of
// sections, its link the section of their names, its info the number of segments.
template <typename Header, typename Section>
bool fits(int fd, FileBudget& budget) {
  Header header;
  if (!read_at(fd, 0, header)) return false;
  Section first{};
  bool has_sections = header.e_shoff != 0 && read_at(fd, header.e_shoff, first);
  uint64_t sections = header.e_shnum == 0 && has_sections ? first.sh_size : header.e_shnum;
  uint64_t segments = header.e_phnum == PN_XNUM && has_sections ? first.sh_info : header.e_phnum;
  // The division keeps the product below from wrapping around.
  if (sections > budget.bytes_left() / section_cost) return budget.take(UINT64_MAX);
  if (!budget.take(sections * section_cost + segments * segment_cost)) return false;
  if (!has_sections) return true;
  uint64_t names = header.e_shstrndx == SHN_XINDEX ? first.sh_link : header.e_shstrndx;
  Section table{};
  if (names == SHN_UNDEF || names >= sections || !read_at(fd, header.e_shoff + names * sizeof table, table))
    return true;
  // elf_strptr() uncompresses a compressed table, and searches one without a final NUL from its end at each call.
  if ((table.sh_flags & SHF_COMPRESSED) != 0 || table.sh_size == 0) return false;
  char last = 0;
  return read_at(fd, uint64_t{table.sh_offset} + table.sh_size - 1, last) && last == '\0' && budget.take(table.sh_size);
}

bool is_affordable(Elf_Scn* section, FileBudget& budget) {
  GElf_Shdr header;
  return section != nullptr && gelf_getshdr(section, &header) != nullptr && header.sh_type != SHT_NOBITS &&
         budget.take(header.sh_size);
}

Elf_Data* with_bytes(Elf_Data* data) { return data != nullptr && data->d_buf != nullptr ? data : nullptr; }

}  // namespace

ElfHandle open_elf(int fd, FileBudget& budget) {
  unsigned char identity[EI_NIDENT];
  if (fd < 0 || !read_at(fd, 0, identity) || std::memcmp(identity, ELFMAG, SELFMAG) != 0) return nullptr;
  if (identity[EI_DATA] != ELFDATA2LSB) return nullptr;
  bool is_32bit = identity[EI_CLASS] == ELFCLASS32;
  if (!(is_32bit ? fits<Elf32_Ehdr, Elf32_Shdr>(fd, budget) : fits<Elf64_Ehdr, Elf64_Shdr>(fd, budget))) return nullptr;
  elf_version(EV_CURRENT);
  ElfHandle elf{elf_begin(fd, ELF_C_READ, nullptr)};
  if (elf && elf_kind(elf.get()) != ELF_K_ELF) elf.reset();
  return elf;
}

Elf_Data* section_data(Elf_Scn* section, FileBudget& budget) {
  return is_affordable(section, budget) ? with_bytes(elf_getdata(section, nullptr)) : nullptr;
}

Elf_Data* raw_section_data(Elf_Scn* section, FileBudget& budget) {
  return is_affordable(section, budget) ? with_bytes(elf_rawdata(section, nullptr)) : nullptr;
}

std::string_view text_at(const Elf_Data* strings, uint64_t offset) {
  if (strings == nullptr || strings->d_buf == nullptr || offset >= strings->d_size) return {};
  const char* text = static_cast<const char*>(strings->d_buf) + offset;
  return {text, ::strnlen(text, strings->d_size - offset)};
}

}  // namespace dscope
