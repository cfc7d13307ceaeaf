// --save-facts: writes the file that describes this machine for --facts.
#pragma once

#include <string>

#include "support/result.h"

namespace dscope {

// Returns the exit status. Needs root. Replaces the file.
Result<int> save_facts(const std::string& path);

}  // namespace dscope
