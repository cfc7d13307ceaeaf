// Decisions that need all maps: which are joined, and which are allocated in advance.
#pragma once

#include "frontend/plan/plan_builder.h"

namespace dscope {

// A BPF program can use 64 maps. If aggregations and associative arrays have more, joins their maps and rewrites their
// AggregationPlans and VariablePlaces. All data must be laid out.
void share_maps(CompiledPlan& out, uint32_t cpu_count);

// Allocates elements of associative arrays in advance, up to a limit of memory (docs/decisions/0012). Comes after
// share_maps().
void allocate_elements(ProgramPlan& plan);

}  // namespace dscope
