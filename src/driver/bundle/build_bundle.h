// --build=FILE: compiles programs into a portable bundle.
#pragma once

#include "catalog/option_values.h"
#include "driver/command_line/command_line.h"
#include "support/result.h"

namespace dscope {

// Compiles the programs of the command line and writes the bundle. Prints the diagnostics of mistakes in D. Returns the
// exit status.
Result<int> build_bundle(const CommandLine& command_line, const OptionValues& options);

}  // namespace dscope
