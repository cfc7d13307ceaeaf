// What built-in variables and subroutines of a program need to know of the machine that it will run on.
#pragma once

#include "contract/host.h"
#include "frontend/plan/plan_builder.h"

namespace dscope {

// Fills CompiledPlan::task_members, object_members, path_members, route_members, cpu_table and driver_table, asking the
// host only for what the program uses.
void find_machine_parts(const Semantics& meaning, Host& host, CompiledPlan& out);

// Whether the clause, which may be what another probe is derived from, sees processes execute a program: mostly
// children that were just forked, whose page tables lack what they have not looked at since. Where pages are looked for
// that page tables lack, a one-liner takes twice the time to start, so that others have a fault for them.
bool sees_newborn_processes(const Semantics& meaning, const ClauseInstance& clause);

}  // namespace dscope
