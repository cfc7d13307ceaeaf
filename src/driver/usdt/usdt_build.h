// dscope -h and -G: writes the files with which programs with static probes are built. In: a compiled D program that
// defines providers. Needs no privileges.
#pragma once

#include "driver/command_line/command_line.h"
#include "driver/compile/compilation.h"

namespace dscope {

// -h: writes the header. -o names it, else the script does.
Result<> write_usdt_header(const CommandLine& command_line, const Compilation& compilation);

// -G: writes the object; reads the traced program's objects, the operands. -o names it, else the script does.
Result<> write_usdt_object(const CommandLine& command_line, const Compilation& compilation);

}  // namespace dscope
