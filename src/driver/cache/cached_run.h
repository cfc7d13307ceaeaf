// Runs of programs whose code is in the cache. They need no compiler.
#pragma once

#include <optional>
#include <string>

#include "catalog/option_values.h"
#include "driver/command_line/command_line.h"

namespace dscope {

// Traces with the code of an earlier run and returns the exit status; nullopt if the cache has no code that this kernel
// accepts. In that case nothing is printed, and commands of -c are ended before they run.
std::optional<int> run_from_cache(const CommandLine& command_line, const OptionValues& options,
                                  const std::string& compiler);

}  // namespace dscope
