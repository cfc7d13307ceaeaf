// Sizes of the tables of machine data that BPF programs read.
#pragma once

#include <cstdint>

#include "catalog/catalog.h"

namespace dscope {

// The driver names of block devices, one row per major number. The kernel limits major numbers to 511 and names to 16
// characters.
constexpr uint32_t block_driver_rows = 512;
inline uint32_t block_driver_row() { return row(Subroutine::BlockDriver).bound.bytes; }  // bytes

}  // namespace dscope
