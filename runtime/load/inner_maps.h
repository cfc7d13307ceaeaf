// Maps of maps: storing maps in them.
#pragma once

#include <cstdint>

#include "contract/program_plan.h"
#include "support/result.h"

namespace dscope {

// Stores map `inner` in element `number` of the array of maps `table`, which has none yet. On return, programs see it.
Result<> store_inner_map(int table, uint32_t number, int inner);

// A chunk of a ChunkTable.
MapPlan unwind_chunk_plan();

}  // namespace dscope
