// Portable code: compiles a program for the machines on which a bundle may run.
#pragma once

#include <vector>

#include "archive/portable_bundle.h"
#include "driver/compile/code_source.h"

namespace dscope {

// Generates portable code of one form for the compilation's machine.
Result<BundledCode> portable_code(const Compilation& compilation, CodeForm form);

}  // namespace dscope
