// The units of time in names of probes and values of options: "10ms", "1hour" (d-language.md 9, providers.md 6).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace dscope {

constexpr int64_t nanoseconds_per_second = 1'000'000'000;

// Of "ns", "nsec", "us" ... "d", "day", in letters of either case; nothing if it is no unit. ("hz" is none of time.)
std::optional<int64_t> nanoseconds_of_unit(std::string_view unit);

}  // namespace dscope
