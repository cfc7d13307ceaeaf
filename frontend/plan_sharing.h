// share_maps(): for scripts with more aggregations and associative arrays than a BPF program can use maps.
#pragma once

#include "frontend/plan_builder.h"

namespace dscope {

// Rewrites maps, AggregationPlans and VariablePlaces if there are too many maps; called when all data is laid out.
void share_maps(CompiledPlan& out, uint32_t cpu_count);

}  // namespace dscope
