// --dump: prints the product of each phase as text.
#pragma once

#include <string>
#include <string_view>

#include "codegen/core/readable_code.h"
#include "driver/command_line/command_line.h"
#include "driver/compile/compilation.h"

namespace dscope {

// Returns the product of a stage other than Summary. IR and assembly show the D text above its instructions.
Result<std::string> dump(DumpStage stage, const Compilation& compilation, CodeDetail detail = CodeDetail::Folded);

// Adds the colors of a terminal: D text, labels and headings.
std::string colored_dump(std::string_view text);
// Adds the colors of a terminal to a summary: headings and destructive calls.
std::string colored_summary(std::string_view text);

}  // namespace dscope
