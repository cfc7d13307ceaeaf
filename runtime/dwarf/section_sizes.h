// Checks what libdw would read before it reads it: libdw has no limits of its own. Private to runtime/dwarf.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "runtime/elf/file_budget.h"

namespace dscope {

// Whether the debug sections of the ELF file `fd`, which dwarf_begin_elf() uncompresses, fit the budget.
bool debug_sections_fit(int fd, FileBudget& budget);
// Whether the call frame information that dwarf_getcfi_elf() reads fits the budget.
bool frame_sections_fit(int fd, FileBudget& budget);
// The bytes that the rows of the line table at `offset` of .debug_line may take: each byte of it can make a row.
uint64_t size_of_rows(std::span<const std::byte> lines, uint64_t offset);

}  // namespace dscope
