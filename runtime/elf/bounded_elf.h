// Reads ELF files of other users by libelf within a budget. libelf allocates whatever sizes a file states: of its
// tables of sections and segments, of each section, and of uncompressed string tables.
#pragma once

#include <gelf.h>
#include <libelf.h>

#include <memory>
#include <string_view>

#include "runtime/elf/file_budget.h"

namespace dscope {

struct ElfCloser {
  void operator()(Elf* elf) const { elf_end(elf); }
};
using ElfHandle = std::unique_ptr<Elf, ElfCloser>;

// Opens the ELF file `fd`. Null if it is not a little-endian ELF file, if its tables exceed the budget, or if
// elf_strptr() would be costly for section names. Uses ELF_C_READ, which reads sections with pread(2): if another
// process truncated a mapped file, SIGBUS would kill dscope.
ElfHandle open_elf(int fd, FileBudget& budget);

// The bytes of a section, as elf_getdata() returns them. Null if the section has none or they exceed the budget. Call
// it once per section: each call counts.
Elf_Data* section_data(Elf_Scn* section, FileBudget& budget);
// As section_data(), but the bytes as they are in the file, neither translated nor realigned: elf_rawdata().
Elf_Data* raw_section_data(Elf_Scn* section, FileBudget& budget);
// The NUL-terminated text at `offset` of a string table; empty beyond its end.
std::string_view text_at(const Elf_Data* strings, uint64_t offset);

}  // namespace dscope
