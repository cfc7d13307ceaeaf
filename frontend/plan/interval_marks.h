// Which clauses begin and end intervals of threads: those that print a row and store `timestamp`, or 0, in a
// thread-local variable.
#pragma once

#include <vector>

#include "contract/program_plan.h"
#include "frontend/semantics/semantics.h"

namespace dscope {

// `clauses`: the plans of Semantics::clauses. Stores that depend on a condition are no marks, because rows do not say
// whether they ran, and neither are variables that no clause sets, or that no clause clears.
std::vector<IntervalMark> find_interval_marks(const Semantics& meaning, const std::vector<ClausePlan>& clauses);

}  // namespace dscope
