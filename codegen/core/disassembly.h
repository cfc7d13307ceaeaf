// Disassembly of BPF code, in the columns of DTrace's listings (consumer-and-actions.md 9.6).
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "support/result.h"

namespace dscope {

// "INS  OFF    OPCODE ..." and one line for each 8 bytes of `code`: index, offset, the fields of the instruction, the
// instruction as LLVM writes it. The second half of a wide instruction has a line without text. notes: by index, what
// is shown behind an instruction; may be shorter than the code.
Result<std::string> disassemble(std::span<const std::byte> code, const std::vector<std::string>& notes);

}  // namespace dscope
