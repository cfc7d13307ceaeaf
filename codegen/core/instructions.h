// What the code of user programs tells: where instructions begin and where a function is left. Here because LLVM can
// read it.
#pragma once

#include "contract/process_tools.h"

namespace dscope {

// Decodes the machine code of one function, of this machine's instruction set or its 32-bit one
// (contract/process_tools.h).
CodeOutline read_code(std::span<const uint8_t> code, WordSize word_size);

}  // namespace dscope
