// Parses the operands of static probes: the locations of a probe's arguments in assembler syntax.
#pragma once

#include <string_view>
#include <vector>

#include "contract/probe.h"

namespace dscope {

// Parses "-4@%edi 8@-80(%rbx) 4@$1" for x86-64: one source per operand, with size and sign of the argument. Operands
// that cannot be parsed, such as addresses by symbol, become ArgSourceKind::Zero.
std::vector<ArgSource> read_usdt_operands(std::string_view text);

}  // namespace dscope
