// The values of options that are shares of a CPU.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace dscope {

// "1%", "0.25%", in millionths of a CPU: up to four decimals, more than 0 and at most 100,000 %. Nothing for other
// texts.
std::optional<int64_t> parse_cpu_share(std::string_view text);

}  // namespace dscope
