// The functions of the table of AArch64 (arch/architecture.h describes them).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "contract/probe.h"
#include "contract/process_tools.h"

namespace dscope {

// `text`: the location of one USDT argument, the part behind the @ in "-4@w0 8@[sp, 16]".
bool read_aarch64_operand(std::string_view text, ArgSource& source);
// A64 only: nothing for A32 and T32 code.
CodeOutline read_aarch64_code(std::span<const uint8_t> code, WordSize word_size);
bool is_unsupported_aarch64_instruction(std::span<const uint8_t> code);

}  // namespace dscope
