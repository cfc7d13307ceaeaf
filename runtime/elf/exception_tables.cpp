#include "runtime/elf/exception_tables.h"

#include <gelf.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>

#include "runtime/elf/bounded_elf.h"

namespace dscope {

bool has_exception_tables(int fd) {
  // Linkers may keep one table per function: .gcc_except_table.NAME.
  constexpr std::string_view prefix = ".gcc_except_table";
  constexpr std::array tables = {".gopclntab", ".data.rel.ro.gopclntab"};
  FileBudget budget(fd);
  ElfHandle elf = open_elf(fd, budget);
  size_t names = 0;
  if (!elf || elf_getshdrstrndx(elf.get(), &names) != 0) return false;
  for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf.get(), section)) != nullptr && budget.has_time();) {
    GElf_Shdr header;
    const char* text = gelf_getshdr(section, &header) ? elf_strptr(elf.get(), names, header.sh_name) : nullptr;
    if (text == nullptr) continue;
    auto is_it = [&](const char* table) { return std::strcmp(text, table) == 0; };
    if (std::strncmp(text, prefix.data(), prefix.size()) == 0 || std::ranges::any_of(tables, is_it)) return true;
  }
  return false;
}

}  // namespace dscope
