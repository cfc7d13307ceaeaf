// Operands of static probes: where the arguments of a probe are when it fires, in the words of the assembler.
#pragma once

#include <string_view>
#include <vector>

#include "contract/probe.h"

namespace dscope {

// "-4@%edi 8@-80(%rbx) 4@$1": one source for each, for x86-64. What cannot be read, as addresses by symbol, is Zero.
// Sizes and signs are those of the argument.
std::vector<ArgSource> read_usdt_operands(std::string_view text);

}  // namespace dscope
