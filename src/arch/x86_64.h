// The functions of the table of x86-64 (arch/architecture.h describes them).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "contract/probe.h"
#include "contract/process_tools.h"

namespace dscope {

// `text`: the location of one USDT argument, the part behind the @ in "-4@%edi 8@-80(%rbx)", in AT&T or Intel syntax.
bool read_x86_operand(std::string_view text, ArgSource& source);
CodeOutline read_x86_code(std::span<const uint8_t> code, WordSize word_size);
bool is_unsupported_x86_instruction(std::span<const uint8_t> code);

}  // namespace dscope
