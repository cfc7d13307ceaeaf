// Removes library clauses that only assign variables, with the probes that they need, unless something reads these
// variables. `tcp:::receive { @ = count(); }` needs no clause that records sockets.
#pragma once

#include <vector>

#include "frontend/semantics/semantics.h"

namespace dscope {

// are_of_libraries: for each clause instance of `semantics`, whether a library defines it.
void leave_out_idle_clauses(Semantics& semantics, std::vector<bool> are_of_libraries);

}  // namespace dscope
