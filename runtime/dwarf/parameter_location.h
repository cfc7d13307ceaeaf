// Where a compiler says that a parameter is when its function is entered. Private to runtime/dwarf.
#pragma once

#include <cstdint>
#include <optional>

#include "runtime/dwarf/libdw.h"
#include "runtime/dwarf/process_types.h"

namespace dscope {

// `parameter`: of the function's code, which begins at `start`. Nothing: it does not say, or not in a word.
std::optional<EntryPlace> entry_place(const LibDw& dw, const Dwarf_Die& parameter, uint64_t start);

}  // namespace dscope
