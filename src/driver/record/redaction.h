// --redact: copies a capture and replaces its strings.
#pragma once

#include "catalog/option_values.h"
#include "driver/command_line/command_line.h"
#include "support/result.h"

namespace dscope {

Result<int> redact(const CommandLine& command_line, const OptionValues& options);

}  // namespace dscope
