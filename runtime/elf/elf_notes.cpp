#include "runtime/elf/elf_notes.h"

#include <elf.h>
#include <gelf.h>

#include "runtime/elf/bounded_elf.h"

namespace dscope {

void for_each_note(Elf* elf, std::string_view owner, uint32_t type, FileBudget& budget,
                   const std::function<void(std::string_view content)>& visit) {
  for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf, section)) != nullptr;) {
    GElf_Shdr header;
    if (!budget.has_time()) return;
    if (!gelf_getshdr(section, &header) || header.sh_type != SHT_NOTE) continue;
    Elf_Data* data = section_data(section, budget);
    GElf_Nhdr note;
    size_t name_at = 0, content_at = 0;
    for (size_t at = 0; data != nullptr && (at = gelf_getnote(data, at, &note, &name_at, &content_at)) > 0;) {
      if (!budget.has_time()) return;
      const char* bytes = static_cast<const char*>(data->d_buf);
      // n_namesz counts the final NUL.
      bool is_wanted = note.n_type == type && note.n_namesz == owner.size() + 1 &&
                       std::string_view{bytes + name_at, owner.size()} == owner;
      if (is_wanted) visit({bytes + content_at, note.n_descsz});
    }
  }
}

}  // namespace dscope
