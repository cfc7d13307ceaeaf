// The location of a parameter at the entry of its function, from DWARF. Private to runtime/dwarf.
#pragma once

#include <cstdint>
#include <optional>

#include "runtime/dwarf/libdw.h"
#include "runtime/dwarf/process_types.h"

namespace dscope {

// `parameter` is an entry of the compiled function, `start` the virtual address of its code. Nothing if the compiler
// states no location, or one that is not a single register, address or constant.
std::optional<ParameterLocation> locate_parameter(const LibDw& dw, const Dwarf_Die& parameter, uint64_t start);

}  // namespace dscope
