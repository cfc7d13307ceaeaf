#include "runtime/elf/exception_tables.h"

#include <gelf.h>

#include <string_view>

#include "runtime/elf/debug_files.h"

namespace dscope {

bool has_exception_tables(int fd) {
  elf_version(EV_CURRENT);
  ElfHandle elf{elf_begin(fd, ELF_C_READ, nullptr)};
  size_t names = 0;
  if (!elf || elf_getshdrstrndx(elf.get(), &names) != 0) return false;
  for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf.get(), section)) != nullptr;) {
    GElf_Shdr header;
    const char* text = gelf_getshdr(section, &header) ? elf_strptr(elf.get(), names, header.sh_name) : nullptr;
    std::string_view name = text == nullptr ? "" : text;
    // Linkers may keep one table per function: .gcc_except_table.NAME.
    if (name.starts_with(".gcc_except_table") || name == ".gopclntab" || name == ".data.rel.ro.gopclntab") return true;
  }
  return false;
}

}  // namespace dscope
