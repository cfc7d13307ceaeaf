// Messages about sizes of memory, and about sizes and rates that are lower than the options ask for
// (consumer-and-actions.md 2.4).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "contract/program_plan.h"

namespace dscope {

// A map of the plan with the number of entries it was created with.
struct CreatedMap {
  const MapPlan* plan;
  uint64_t entries;
};
// One sentence for each size option whose maps are smaller than it asks for.
std::vector<std::string> lowered_size_texts(const OptionValues& options, const std::vector<CreatedMap>& maps);

// "aggregations have 131072 elements in 12 MiB; the budget is 376 MiB (-x aggmemory)"
std::string aggregation_memory_text(uint64_t budget_bytes, const std::vector<CreatedMap>& maps);

// "buffer size lowered to 512m"
std::string lowered_size_text(std::string_view what, uint64_t bytes);
// "status rate reduced to 1000 hz"; `period_ns` is not 0.
std::string reduced_rate_text(std::string_view what, uint64_t period_ns);

}  // namespace dscope
