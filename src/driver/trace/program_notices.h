// The parts of a compiled program that have no effect on this machine, as lines for stderr.
#pragma once

#include <string>
#include <vector>

#include "driver/command_line/command_line.h"
#include "driver/compile/compilation.h"

namespace dscope {

// Prints the D libraries that do not compile on this kernel.
void print_skipped_libraries(const CommandLine& command_line, const Compilation& compilation);

// One line, without the program's name in front, for each part of the programs that has no effect on this machine.
std::vector<std::string> program_notices(const CommandLine& command_line, const Compilation& compilation);

}  // namespace dscope
