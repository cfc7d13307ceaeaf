// The data about the running machine that the built-in variables, subroutines and actions of a program need.
#pragma once

#include "frontend/plan/plan_builder.h"

namespace dscope {

class Host;

// Fills the members, layouts and tables of CompiledPlan. Asks the host only for what the program uses.
void find_machine_parts(const Semantics& meaning, Host& host, CompiledPlan& out);

// Whether a probe of the clause, or the probe that it derives, has Probe::may_lack_pages: the page tables of the
// process may lack the pages that the clause reads. Support for finding these pages elsewhere takes 10 to 20 ms of
// start-up, so reads in other clauses fault instead.
bool may_lack_pages(const Semantics& meaning, const ClauseInstance& clause);

}  // namespace dscope
