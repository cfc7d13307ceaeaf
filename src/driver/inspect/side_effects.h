// Options that do something besides the run itself: trees and types printed for people who look into the compiler,
// memory taken early, a core dump at the end (d-language.md 9).
#pragma once

#include "driver/compile/compilation.h"
#include "support/result.h"

namespace dscope {

// preallocate: takes that much memory and gives it back, so that a machine without it says so now.
Result<> preallocate(const OptionValues& options);

// tree: what the bits ask for, on stderr. 1 the tree, 2 types, 4 the plan, 8 the IR; a program with a mistake has only
// the first.
Result<> print_trees(const OptionValues& options, const Compilation& compilation);

// ctypes, dtypes: writes the types of the kernel, or of D, to the named file.
Result<> write_types(const OptionValues& options, const Compilation& compilation);

}  // namespace dscope
