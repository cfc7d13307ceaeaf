// Words for sizes and rates that could not be had as asked for (consumer-and-actions.md 2.4).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "contract/program_plan.h"

namespace dscope {

// What became of a map of the plan.
struct CreatedMap {
  const MapPlan* plan;
  uint64_t entries;
};
// One sentence for each option whose maps could not be made as large as it asks.
std::vector<std::string> lowered_sizes(const OptionValues& options, const std::vector<CreatedMap>& maps);

// "buffer size lowered to 512m"
std::string lowered_text(std::string_view what, uint64_t bytes);
// "status rate reduced to 1000 hz"; `period_ns` is not 0.
std::string reduced_text(std::string_view what, uint64_t period_ns);

}  // namespace dscope
