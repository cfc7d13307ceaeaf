// Percentiles as percentile() and the conversion %@p99.9d name them, and the histogram that percentile() counts in.
//
// The histogram is log-linear: magnitudes up to 63 have a bucket each, and every power of two above them is divided
// into 32 buckets of equal width. A value differs from the middle of its bucket by at most 1/64, 1.6 %, of itself. The
// words are in the order of the values. If values may be negative, mirrored buckets precede the word of value 0.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace dscope {

// A percentile in thousandths of a percent: 99900 is 99.9.
using PercentileNumber = uint32_t;

// "50", "99.9" or "99.999", from 0 to 100; nothing for other texts.
std::optional<PercentileNumber> parse_percentile(std::string_view text);
// "99.9".
std::string percentile_text(PercentileNumber percentile);

// The number of words for values from 0 to 2^64 - 1, where the first word is that of 0, and for values from -2^63 to
// 2^63 - 1. ds_percentile_bucket() in codegen/bpf/aggregation.bpf.c computes the index of a value.
inline constexpr uint32_t unsigned_percentile_words = 1920, signed_percentile_words = 3776;
inline constexpr uint32_t signed_percentile_zero = 1888;  // index of the word of 0
// The middle of the bucket `index` words above the word of 0.
uint64_t middle_of_percentile_bucket(uint32_t index);

}  // namespace dscope
