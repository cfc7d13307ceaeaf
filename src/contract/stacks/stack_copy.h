// The size of the user stack copies that the consumer unwinds (-x ustackunwind=dwarf, ustacksize).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "catalog/option_values.h"
#include "contract/record_format.h"

namespace dscope {

// The position of the stack pointer in a copy, in bytes.
inline size_t stack_pointer_offset(uint64_t stack_pointer) { return stack_pointer % DS_STACK_PIECE_BYTES; }

// Enough for `ustacksize` bytes from any stack pointer on.
inline uint32_t stack_copy_bytes(const OptionValues& options) {
  auto requested = static_cast<uint32_t>(options.number(OptionId::Ustacksize));
  return (requested + 2 * DS_STACK_PIECE_BYTES - 1) / DS_STACK_PIECE_BYTES * DS_STACK_PIECE_BYTES;
}

// The size for threads that do not run: a thread has less than 64 KiB of task storage, which also holds the frames.
inline uint32_t saved_copy_bytes(const OptionValues& options) {
  constexpr uint32_t max_bytes = 48 << 10;
  return std::min(stack_copy_bytes(options), max_bytes);
}

}  // namespace dscope
