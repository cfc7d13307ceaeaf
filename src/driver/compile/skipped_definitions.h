// Definitions of our D libraries that do not compile on this kernel, for example because they name a member that it
// lacks. A compilation goes on without them; only programs that use them fail.
#pragma once

#include "driver/compile/compilation.h"

namespace dscope {

// Removes the definition with the first error: an inline, a translator, or one member of a translator. Removes the
// whole library if the error is elsewhere, because a library without one of its clauses could trace wrong values.
// Records the reason and clears the diagnostics. False if the error is not in a built-in library.
bool skip_definition_with_error(Compilation& out);
// Removes a library and records the first error as the reason.
void skip_library(Compilation& out, UnitId id);
// If something was skipped, adds a hint to the program's error: the definitions that the message names, or all of them.
void hint_at_skipped(Compilation& out);

}  // namespace dscope
