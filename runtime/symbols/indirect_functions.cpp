#include "runtime/symbols/indirect_functions.h"

#include <gelf.h>

#include "runtime/symbols/debug_files.h"

namespace dscope {
namespace {

// Relocations of both machines that are made by calling the function at the addend.
bool is_made_by_call(uint64_t type, int machine) {
  return machine == EM_X86_64 ? type == R_X86_64_IRELATIVE : machine == EM_AARCH64 && type == R_AARCH64_IRELATIVE;
}

}  // namespace

std::optional<uint64_t> find_indirect_slot(int fd, uint64_t address) {
  elf_version(EV_CURRENT);
  ElfHandle elf{elf_begin(fd, ELF_C_READ, nullptr)};
  GElf_Ehdr file;
  if (!elf || !gelf_getehdr(elf.get(), &file)) return std::nullopt;
  for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf.get(), section)) != nullptr;) {
    GElf_Shdr header;
    if (!gelf_getshdr(section, &header) || header.sh_type != SHT_RELA || header.sh_entsize == 0) continue;
    Elf_Data* data = elf_getdata(section, nullptr);
    for (size_t i = 0; data != nullptr && i < header.sh_size / header.sh_entsize; ++i) {
      GElf_Rela entry;
      if (!gelf_getrela(data, static_cast<int>(i), &entry)) break;
      if (is_made_by_call(GELF_R_TYPE(entry.r_info), file.e_machine) &&
          static_cast<uint64_t>(entry.r_addend) == address)
        return entry.r_offset;
    }
  }
  return std::nullopt;
}

}  // namespace dscope
