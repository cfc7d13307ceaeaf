// The ring buffers of a program on a large machine, and the array by which programs find them.
#pragma once

#include <vector>

#include "contract/program_plan.h"
#include "support/fd.h"
#include "support/result.h"

namespace dscope {

// Creates an array of maps with the ring buffers `ring_fds`, by number.
Result<Fd> create_ring_table(const MapPlan& plan, const std::vector<int>& ring_fds);

}  // namespace dscope
