// The data about the running machine that the built-in variables, subroutines and actions of a program need.
#pragma once

#include "frontend/plan/plan_builder.h"

namespace dscope {

class Host;

// Fills the members, layouts and tables of CompiledPlan. Asks the host only for what the program uses.
void find_machine_parts(const Semantics& meaning, Host& host, CompiledPlan& out);

// Whether a probe of the clause, or the probe that it derives, fires while a process executes a program. Such a process
// was usually just forked: its page tables lack all pages that it has not touched since. Support for finding these
// pages elsewhere doubles the start-up time of a one-liner, so reads in other clauses fault instead.
bool fires_on_exec(const Semantics& meaning, const ClauseInstance& clause);

}  // namespace dscope
