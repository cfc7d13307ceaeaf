// The notes in all SHT_NOTE sections of an ELF file.
#pragma once

#include <libelf.h>

#include <cstdint>
#include <functional>
#include <string_view>

#include "runtime/elf/file_budget.h"

namespace dscope {

// Calls `visit` with the content of each note of that owner and type, in file order, until the budget is used up.
// `content` is valid during the call.
void for_each_note(Elf* elf, std::string_view owner, uint32_t type, FileBudget& budget,
                   const std::function<void(std::string_view content)>& visit);

}  // namespace dscope
