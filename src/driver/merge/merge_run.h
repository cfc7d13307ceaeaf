// dscope --merge: adds up the results of runs on several machines.
#pragma once

#include "catalog/option_values.h"
#include "driver/command_line/command_line.h"
#include "support/result.h"

namespace dscope {

// Reads the operands, files or "-" for standard input, and prints their sum. Returns the exit status: the highest one
// of the results, at least 1 if some input was missing or damaged. The error of results that cannot be added up.
Result<int> run_merge(const CommandLine& command_line, const OptionValues& options);

}  // namespace dscope
