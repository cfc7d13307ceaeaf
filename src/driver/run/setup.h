// The setup of a run that its options require: limits of foreign files, memory, target processes.
#pragma once

#include <memory>

#include "catalog/option_values.h"
#include "driver/command_line/command_line.h"
#include "runtime/targets/targets.h"

namespace dscope {

// Sets the limits of reading one file of another user, and prints on stderr which files exceed them.
void limit_foreign_files(const CommandLine& command_line, const OptionValues& options);

// Option preallocate: allocates memory and frees it, so that dscope reports a lack of memory before tracing starts.
Result<> preallocate(const OptionValues& options);

// Starts the processes of -c, stopped before main(), and opens those of -p.
Result<std::unique_ptr<Targets>> create_targets(const CommandLine& command_line, const OptionValues& options);

}  // namespace dscope
