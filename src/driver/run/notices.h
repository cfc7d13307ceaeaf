// The notices on stderr before a run traces: the number of probes that each program matched, and the parts of programs
// that will not work as written. Reads the compilation and changes nothing.
#pragma once

#include <string>
#include <vector>

#include "driver/command_line/command_line.h"
#include "driver/compile/compilation.h"
#include "driver/run/awaited_probes.h"
#include "runtime/format/output_stream.h"

namespace dscope {

// Prints the D libraries that do not compile on this kernel.
void print_skipped_libraries(const CommandLine& command_line, const Compilation& compilation);

// Prints "script 'x.d' matched 3 probes" for each program, unless quiet, followed by the program's entry in `reports`
// (-v; may be empty) on `out`. Then prints a line for each part of the programs that has no effect on this machine.
void print_notices(const CommandLine& command_line, const Compilation& compilation, const AwaitedProbes& awaited,
                   const std::vector<std::string>& reports, OutputStream& out);

}  // namespace dscope
