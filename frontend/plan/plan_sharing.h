// What can be said about maps only when all of them are known: which are joined, and which exist in advance.
#pragma once

#include "frontend/plan/plan_builder.h"

namespace dscope {

// For scripts with more aggregations and associative arrays than a BPF program can use maps: rewrites maps,
// AggregationPlans and VariablePlaces if there are too many maps; called when all data is laid out.
void share_maps(CompiledPlan& out, uint32_t cpu_count);

// Has the elements of maps that are not allocated in advance allocated so after all, as far as memory may be spent on
// it (docs/decisions/0012); called when maps are joined.
void allocate_elements(ProgramPlan& plan);

}  // namespace dscope
