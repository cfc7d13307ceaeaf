#include "runtime/elf/indirect_functions.h"

#include <gelf.h>

#include <functional>

#include "runtime/elf/debug_files.h"

namespace dscope {
namespace {

// The dynamic linker applies such a relocation by calling the resolver at the addend.
bool calls_resolver(uint64_t type, int machine) {
  return machine == EM_X86_64 ? type == R_X86_64_IRELATIVE : machine == EM_AARCH64 && type == R_AARCH64_IRELATIVE;
}

bool names_function(uint64_t type, int machine) {
  if (machine == EM_X86_64) return type == R_X86_64_JUMP_SLOT || type == R_X86_64_GLOB_DAT;
  return machine == EM_AARCH64 && (type == R_AARCH64_JUMP_SLOT || type == R_AARCH64_GLOB_DAT);
}

struct Relocation {
  GElf_Rela entry;
  int machine = 0;
  std::string name;  // of its symbol
};

std::string name_of(Elf* elf, const GElf_Shdr& relocations, const GElf_Rela& entry) {
  Elf_Scn* section = elf_getscn(elf, relocations.sh_link);
  GElf_Shdr header;
  GElf_Sym symbol;
  Elf_Data* data = section != nullptr ? elf_getdata(section, nullptr) : nullptr;
  if (data == nullptr || gelf_getshdr(section, &header) == nullptr ||
      gelf_getsym(data, static_cast<int>(GELF_R_SYM(entry.r_info)), &symbol) == nullptr)
    return {};
  const char* text = elf_strptr(elf, header.sh_link, symbol.st_name);
  return text != nullptr ? text : "";
}

// Visits relocations until `visit` returns false.
void for_each_relocation(int fd, const std::function<bool(const Relocation& relocation)>& visit) {
  elf_version(EV_CURRENT);
  ElfHandle elf{elf_begin(fd, ELF_C_READ, nullptr)};
  GElf_Ehdr file;
  if (!elf || !gelf_getehdr(elf.get(), &file)) return;
  for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf.get(), section)) != nullptr;) {
    GElf_Shdr header;
    if (!gelf_getshdr(section, &header) || header.sh_type != SHT_RELA || header.sh_entsize == 0) continue;
    Elf_Data* data = elf_getdata(section, nullptr);
    for (size_t i = 0; data != nullptr && i < header.sh_size / header.sh_entsize; ++i) {
      Relocation relocation{.entry = {}, .machine = file.e_machine, .name = {}};
      if (!gelf_getrela(data, static_cast<int>(i), &relocation.entry)) break;
      uint64_t type = GELF_R_TYPE(relocation.entry.r_info);
      if (names_function(type, file.e_machine)) relocation.name = name_of(elf.get(), header, relocation.entry);
      if (!visit(relocation)) return;
    }
  }
}

}  // namespace

std::optional<uint64_t> find_indirect_slot(int fd, uint64_t resolver) {
  std::optional<uint64_t> found;
  for_each_relocation(fd, [&](const Relocation& relocation) {
    if (calls_resolver(GELF_R_TYPE(relocation.entry.r_info), relocation.machine) &&
        static_cast<uint64_t>(relocation.entry.r_addend) == resolver)
      found = relocation.entry.r_offset;
    return !found;
  });
  return found;
}

std::vector<uint64_t> find_import_slots(int fd, const std::string& name) {
  std::vector<uint64_t> found;
  for_each_relocation(fd, [&](const Relocation& relocation) {
    if (relocation.name == name) found.push_back(relocation.entry.r_offset);
    return true;
  });
  return found;
}

}  // namespace dscope
