// What the built-in variables, subroutines and actions of a program need to know about the machine that runs it.
#pragma once

#include "contract/host.h"
#include "frontend/plan/plan_builder.h"

namespace dscope {

// Fills the members, layouts and tables of CompiledPlan. Asks the host only for what the program uses.
void find_machine_parts(const Semantics& meaning, Host& host, CompiledPlan& out);

// Whether a probe of the clause, or the probe that it derives, fires while a process executes a program. Such a process
// was mostly just forked: its page tables lack all pages that it has not touched since. Looking elsewhere for these
// pages doubles the start-up time of a one-liner, so other clauses get a fault instead.
bool sees_newborn_processes(const Semantics& meaning, const ClauseInstance& clause);

}  // namespace dscope
