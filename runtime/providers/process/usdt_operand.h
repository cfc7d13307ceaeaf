// Parses the operands of static probes: the locations of a probe's arguments in assembler syntax.
#pragma once

#include <string_view>
#include <vector>

#include "arch/architecture.h"

namespace dscope {

// Parses "-4@%edi 8@-80(%rbx) 4@$1" (x86-64) or "-4@w0 8@[sp, 16] 4@1" (AArch64): one source per operand, with size and
// sign of the argument. Operands that cannot be parsed, such as addresses by symbol, become ArgSourceKind::Zero.
std::vector<ArgSource> read_usdt_operands(const Architecture& architecture, std::string_view text);

}  // namespace dscope
