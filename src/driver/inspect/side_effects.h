// Options with effects beside the run: trees and types for debugging the compiler (d-language.md 9).
#pragma once

#include "driver/compile/compilation.h"
#include "support/result.h"

namespace dscope {

// tree: prints products to stderr, selected by bits: 1 the tree, 2 types, 4 the plan, 8 the IR. A program with a
// mistake prints only the tree.
Result<> print_trees(const OptionValues& options, const Compilation& compilation);

// ctypes, dtypes: writes the types of the kernel, or of D, to the named file.
Result<> write_types(const OptionValues& options, const Compilation& compilation);

}  // namespace dscope
