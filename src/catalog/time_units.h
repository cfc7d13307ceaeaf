// The units of time in probe names and option values: "10ms", "1hour" (d-language.md 9, providers.md 6).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace dscope {

constexpr int64_t nanoseconds_per_second = 1'000'000'000;

// The length of "ns", "nsec", "us" ... "d", "day", ignoring case. Nothing for any other text, "hz" included.
std::optional<int64_t> nanoseconds_of_unit(std::string_view unit);

}  // namespace dscope
