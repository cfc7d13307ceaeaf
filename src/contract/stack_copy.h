// How much of a user stack is copied for the consumer to unwind (-x ustackunwind=dwarf, ustacksize).
#pragma once

#include <algorithm>
#include <cstdint>

#include "catalog/option_values.h"
#include "contract/record_format.h"

namespace dscope {

inline uint32_t stack_copy_bytes(const OptionValues& options) {
  auto wanted = static_cast<uint32_t>(options.number(OptionId::Ustacksize));
  return (wanted + DS_STACK_PIECE_BYTES - 1) / DS_STACK_PIECE_BYTES * DS_STACK_PIECE_BYTES;
}

// Of threads that do not run: the kernel keeps less than 64 KiB for a thread, the frames among it.
inline uint32_t kept_copy_bytes(const OptionValues& options) {
  constexpr uint32_t most = 48 << 10;
  return std::min(stack_copy_bytes(options), most);
}

}  // namespace dscope
