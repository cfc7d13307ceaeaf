// Finds the instruction boundaries and the exits of functions in user programs. Part of codegen because it uses LLVM's
// disassembler.
#pragma once

#include "arch/architecture.h"

namespace dscope {

// Decodes the machine code of one function, in the 64-bit or the 32-bit instruction set of a processor
// (contract/process_tools.h).
CodeOutline read_code(const Architecture& architecture, std::span<const uint8_t> code, WordSize word_size);
// Decodes code of the processor for which dscope was built.
CodeOutline read_code(std::span<const uint8_t> code, WordSize word_size);

}  // namespace dscope
