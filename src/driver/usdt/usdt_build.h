// dscope -h and -G: what programs with static probes are built with. In: a compiled program that defines providers.
// Out: a file. Needs no privileges.
#pragma once

#include "driver/command_line/command_line.h"
#include "driver/compile/compilation.h"

namespace dscope {

// -h: the header. -o names it, else the script.
Result<> write_usdt_header(const CommandLine& command_line, const Compilation& compilation);

// -G: the object; the operands are the objects of the program, which are only read. -o names it, else the script.
Result<> write_usdt_object(const CommandLine& command_line, const Compilation& compilation);

}  // namespace dscope
