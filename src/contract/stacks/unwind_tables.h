// Whether a plan unwinds user stacks by tables in maps (unwind_format.h).
#pragma once

#include <algorithm>

#include "contract/program_plan.h"

namespace dscope {

inline bool has_unwind_tables(const ProgramPlan& plan) {
  return std::ranges::find(plan.maps, MapKind::ChunkTable, &MapPlan::kind) != plan.maps.end();
}

}  // namespace dscope
