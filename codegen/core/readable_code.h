// IR and assembly for readers: the D text above its instructions, helpers by name, without code that does not come from
// the script. For modules that were lowered with LowerOptions::debug_info.
#pragma once

#include <string>

#include "codegen/core/ir_module.h"
#include "support/result.h"

namespace dscope {

// Folded: tables and functions of the support library are listed at the end with their sizes.
enum class CodeDetail : uint8_t { Folded, Full };

// Changes the module: print_readable_ir() removes its debug locations and calls helpers through declarations.
std::string print_readable_ir(IrModule& ir, CodeDetail detail);
Result<std::string> readable_assembly(IrModule& ir, bool is_cpu_v4, CodeDetail detail);

}  // namespace dscope
