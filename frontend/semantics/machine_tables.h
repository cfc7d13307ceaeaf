// Sizes of the tables of machine data that BPF programs read.
#pragma once

#include <cstdint>

#include "catalog/catalog.h"

namespace dscope {

// Indices of uregs[] on x86-64: first the words of struct pt_regs, then the registers that the kernel stores in
// task_struct::thread.
constexpr uint32_t first_thread_register = 21, last_user_register = 25;

// The driver names of block devices, one row per major number. The kernel limits major numbers to 511 and names to 16
// characters.
constexpr uint32_t block_driver_rows = 512;
inline uint32_t block_driver_row() { return row(Subroutine::BlockDriver).bound.bytes; }  // bytes

}  // namespace dscope
