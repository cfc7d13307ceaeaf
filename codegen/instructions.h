// Where the instructions of user programs begin. Here because LLVM can tell.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace dscope {

// Offsets of the instructions of a function of this machine's kind; empty if some byte of it belongs to none.
std::vector<uint32_t> find_instructions(std::span<const uint8_t> code);

}  // namespace dscope
