#include "runtime/elf/indirect_functions.h"

#include <gelf.h>

#include "runtime/elf/bounded_elf.h"

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

// The names of the functions that the relocations of a section refer to.
class ImportedNames {
 public:
  ImportedNames(Elf* elf, const GElf_Shdr& relocations, FileBudget& budget) {
    Elf_Scn* section = elf_getscn(elf, relocations.sh_link);
    GElf_Shdr header;
    symbols_ = section_data(section, budget);
    if (symbols_ != nullptr && gelf_getshdr(section, &header) != nullptr)
      names_ = section_data(elf_getscn(elf, header.sh_link), budget);
  }

  std::string_view of(const GElf_Rela& relocation) const {
    GElf_Sym symbol;
    bool is_known = symbols_ != nullptr &&
                    gelf_getsym(symbols_, static_cast<int>(GELF_R_SYM(relocation.r_info)), &symbol) != nullptr;
    return is_known ? text_at(names_, symbol.st_name) : std::string_view{};
  }

 private:
  Elf_Data* symbols_ = nullptr;
  Elf_Data* names_ = nullptr;
};

void read_section(Elf* elf, Elf_Scn* section, int machine, FileBudget& budget, IndirectSlots& slots) {
  GElf_Shdr header;
  if (!gelf_getshdr(section, &header) || header.sh_type != SHT_RELA || header.sh_entsize == 0) return;
  Elf_Data* data = section_data(section, budget);
  if (data == nullptr) return;
  ImportedNames names(elf, header, budget);
  for (size_t i = 0; i < header.sh_size / header.sh_entsize && budget.has_time(); ++i) {
    GElf_Rela entry;
    if (!gelf_getrela(data, static_cast<int>(i), &entry)) return;
    uint64_t type = GELF_R_TYPE(entry.r_info);
    if (calls_resolver(type, machine))
      slots.by_resolver.try_emplace(static_cast<uint64_t>(entry.r_addend), entry.r_offset);
    std::string_view name = names_function(type, machine) ? names.of(entry) : std::string_view{};
    // An entry of a map takes about 64 bytes.
    constexpr uint64_t entry_size = 64;
    if (!budget.take(entry_size + name.size())) return;
    if (!name.empty()) slots.imports[std::string{name}].push_back(entry.r_offset);
  }
}

}  // namespace

IndirectSlots read_indirect_slots(int fd) {
  IndirectSlots slots;
  FileBudget budget(fd);
  ElfHandle elf = open_elf(fd, budget);
  GElf_Ehdr file;
  if (!elf || !gelf_getehdr(elf.get(), &file)) return slots;
  for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf.get(), section)) != nullptr && budget.has_time();)
    read_section(elf.get(), section, file.e_machine, budget, slots);
  return budget.is_used_up() ? IndirectSlots{} : slots;
}

}  // namespace dscope
