// Words for sizes and rates that could not be had as asked for (consumer-and-actions.md 2.4).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace dscope {

// "buffer size lowered to 512m"
std::string lowered_text(std::string_view what, uint64_t bytes);
// "status rate reduced to 1000 hz"; `period_ns` is not 0.
std::string reduced_text(std::string_view what, uint64_t period_ns);

}  // namespace dscope
