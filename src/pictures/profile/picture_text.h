// Short texts in pictures: titles, keys, numbers. All of them are printable UTF-8, whatever was traced.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "pictures/run_update.h"

namespace dscope {

// "@reads[execname, ustack()]: count".
std::string aggregation_title(const PictureAggregation& info);

// "nginx, 4711": the keys of an element. A stack is its innermost frame. "(no key)" if there are none.
std::string keys_text(const std::vector<PictureKey>& keys);

// "12,345,678".
std::string grouped_number(int64_t number);
std::string grouped_number(uint64_t number);
// A number of the aggregation, by its sign.
std::string number_text(const PictureAggregation& info, int64_t number);

// "12.3 %"
std::string percent_text(double share);

// The characters of `text`, at most `max_characters` of them: the last one is then an ellipsis. `text` is UTF-8.
std::string shortened(std::string_view text, size_t max_characters);

// "1.50 s", "250 ms", "3 min 20 s".
std::string duration_text(int64_t nanoseconds);

// "2026-11-26 12:55:36 UTC". Seconds are rounded down.
std::string time_text(int64_t nanoseconds_since_1970);

}  // namespace dscope
