// Library clauses that only assign variables are left out, with the probes they need, unless something reads these
// variables. `tcp:::receive { @ = count(); }` needs no clause that remembers sockets.
#pragma once

#include <vector>

#include "frontend/semantics/semantics.h"

namespace dscope {

// are_of_libraries: for each clause instance of `semantics`, whether a library defines it.
void leave_out_idle_clauses(Semantics& semantics, std::vector<bool> are_of_libraries);

}  // namespace dscope
