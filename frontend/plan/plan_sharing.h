// Decisions that depend on all maps: which maps to join, and which to allocate in advance.
#pragma once

#include "frontend/plan/plan_builder.h"

namespace dscope {

// A BPF program can use 64 maps. If aggregations and associative arrays have more, share_maps() joins their maps and
// rewrites their AggregationPlans and VariableLocations. The layout of all data must be complete.
void share_maps(CompiledPlan& out, uint32_t cpu_count);

// Marks associative arrays for allocation in advance, up to a limit of memory (docs/decisions/0012). Runs after
// share_maps().
void allocate_elements(ProgramPlan& plan);

}  // namespace dscope
