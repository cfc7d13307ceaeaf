// Limits the memory of aggregations whose size the script does not set (docs/decisions/0034).
#pragma once

#include "contract/machine.h"
#include "contract/program_plan.h"

namespace dscope {

// Lowers the number of elements of such aggregations until all of them fit in the budget: in proportion, and not below
// 131,072 each, or 1,024 each if option aggmemory sets the budget. Stores the budget in the plan. Runs after
// share_maps().
void budget_aggregations(ProgramPlan& plan, const MachineFacts& facts);

}  // namespace dscope
