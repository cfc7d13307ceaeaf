// --dump: prints the product of each phase as text.
#pragma once

#include <string>
#include <vector>

#include "driver/command_line/command_line.h"
#include "driver/compile/compilation.h"

namespace dscope {

// Returns the products of `stages` in order, each below a heading line if there are several.
Result<std::string> dump(const std::vector<DumpStage>& stages, const Compilation& compilation);

}  // namespace dscope
