// dscope -h and -G: write the files for building programs with static probes. In: a compiled D program that defines
// providers. Needs no privileges.
#pragma once

#include "driver/command_line/command_line.h"
#include "driver/compile/compilation.h"

namespace dscope {

// -h: writes the header. Its name is that of -o, or derives from the name of the script.
Result<> write_usdt_header(const CommandLine& command_line, const Compilation& compilation);

// -G: writes the object file. Reads the operands, the objects of the traced program. Its name is that of -o, or derives
// from the name of the script.
Result<> write_usdt_object(const CommandLine& command_line, const Compilation& compilation);

}  // namespace dscope
