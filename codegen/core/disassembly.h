// Disassembles BPF code into the columns of DTrace's listings (consumer-and-actions.md 9.6).
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "support/result.h"

namespace dscope {

// Returns the header "INS  OFF    OPCODE ..." and one line per 8 bytes of `code`: index, offset, the instruction's
// fields and its text as LLVM prints it. The second half of a wide instruction has a line without text. `notes` holds
// the text to print behind each instruction, by index, and may be shorter than the code.
Result<std::string> disassemble(std::span<const std::byte> code, const std::vector<std::string>& notes);

}  // namespace dscope
