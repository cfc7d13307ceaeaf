// Sizes of the tables about the machine that programs look things up in.
#pragma once

#include <cstdint>

#include "catalog/catalog.h"

namespace dscope {

// Indices of uregs[] on x86-64: the words of struct pt_regs first, then the registers that the kernel keeps in the
// thread.
constexpr uint32_t first_thread_register = 21, last_user_register = 25;

// The driver names of block devices: one row for each major number, which the kernel keeps below 512. A name has at
// most 16 characters.
constexpr uint32_t block_driver_rows = 512;
inline uint32_t block_driver_row() { return row(Subroutine::BlockDriver).bound.bytes; }  // bytes

}  // namespace dscope
