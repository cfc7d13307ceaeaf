// What built-in variables and subroutines of a program need to know of the machine that it will run on.
#pragma once

#include "contract/host.h"
#include "frontend/plan_builder.h"

namespace dscope {

// Fills CompiledPlan::task_members, object_members, path_members, cpu_table and driver_table, asking the host only for
// what the program uses.
void find_machine_parts(const Semantics& meaning, Host& host, CompiledPlan& out);

}  // namespace dscope
