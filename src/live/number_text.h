// Numbers as the live view prints them: narrow, and readable at a glance.
#pragma once

#include <cstdint>
#include <string>

#include "pictures/run_update.h"

namespace dscope {

enum class NumberUnits : uint8_t {
  Digits,  // 1,234,567
  Short,   // 1.23M
  Time,    // nanoseconds: 1.23ms
};
NumberUnits next_units(NumberUnits units);

// Time if the values of the aggregation are probably nanoseconds, by its name.
NumberUnits default_units(const PictureAggregation& info);

std::string number_text(int64_t value, bool is_unsigned, NumberUnits units);
// As number_text(), but falls back to a short form if the text has more than `max_columns` columns.
std::string number_within(int64_t value, bool is_unsigned, NumberUnits units, int max_columns);
// A rate per second: "0", "0.25", "12.3", "1,234", or in `units`.
std::string rate_text(double rate, NumberUnits units);
// `share`: 0 to 1. "34.2%"
std::string share_text(double share);
// "01:23:45"
std::string elapsed_text(int64_t elapsed_ns);
// The local time of the day: "13:05:59.123".
std::string clock_text(int64_t time_ns);

}  // namespace dscope
