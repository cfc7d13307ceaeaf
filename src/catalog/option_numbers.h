// Parsers of numbers in the values of options (d-language.md 9). Errors: "Invalid value for specified option".
#pragma once

#include <cstdint>
#include <limits>
#include <string_view>

#include "support/result.h"

namespace dscope {

inline constexpr int64_t unset_option = -1;
inline constexpr int64_t no_limit = std::numeric_limits<int64_t>::max();

tl::unexpected<Error> invalid_value();

// In any C base, without a sign.
Result<int64_t> parse_number(std::string_view text);
// 1 for on and unset_option for off: an option that is off counts as never set. Or a number.
Result<int64_t> parse_bool(std::string_view text);
// Bytes: a number, with a suffix of k, m, g or t.
Result<int64_t> parse_size(std::string_view text);
// A period in nanoseconds: nanoseconds, a time with a unit, or a frequency in hz.
Result<int64_t> parse_rate(std::string_view text);
// Nanoseconds: seconds, or a time with a unit.
Result<int64_t> parse_duration(std::string_view text);
Result<int64_t> parse_strsize(std::string_view text);
// The sizes of packets and objects in records: whole words; the default if outside of the limits.
Result<int64_t> parse_pcapsize(std::string_view text);
Result<int64_t> parse_printsize(std::string_view text);

}  // namespace dscope
