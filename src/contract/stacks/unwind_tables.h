// Whether a plan unwinds user stacks by tables in maps (unwind_format.h).
#pragma once

#include <algorithm>

#include "contract/program_plan.h"

namespace dscope {

inline bool has_unwind_tables(const ProgramPlan& plan) {
  return std::ranges::find(plan.maps, MapKind::ChunkTable, &MapPlan::kind) != plan.maps.end();
}

// Whether programs copy the user stacks that they cannot unwind by tables.
inline bool has_stack_copy_ring(const ProgramPlan& plan) {
  return std::ranges::find(plan.maps, "ds_unwind_copies", &MapPlan::name) != plan.maps.end();
}

}  // namespace dscope
