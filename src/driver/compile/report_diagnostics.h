// The diagnostics of a D program on standard error, in the style that option diagnostics selects.
#pragma once

#include <string_view>

#include "catalog/option_values.h"
#include "support/diagnostic.h"

namespace dscope {

// Prints the diagnostics of a D program that does not compile. Returns the exit status, 1.
int report(std::string_view program_name, const OptionValues& options, const Diagnostics& diagnostics);

}  // namespace dscope
