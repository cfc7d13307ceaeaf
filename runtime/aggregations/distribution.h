// Text of distributions: the table with one line per bucket (consumer-and-actions.md 5.9), its zoomed form, and the
// packed form on a single line (consumer-and-actions.md 12.1).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace dscope {

// The 64-bit words of an aggregation's value, merged over CPUs.
using AggregationWords = std::span<const int64_t>;

struct DistributionLine {
  std::string label;
  int64_t count = 0;
};

struct DistributionStyle {
  bool is_zoomed = false;  // option aggzoom: the longest bar fills 95 % of its room
  bool is_packed = false;  // option aggpack: one character per bucket
  bool is_utf8 = false;    // packed: block characters instead of letters
};

// Bars are proportional to the undivided counts; the printed counts are divided by `normal` (not 0).
void append_distribution(std::string& out, const std::vector<DistributionLine>& lines, uint64_t normal,
                         DistributionStyle style = {});

// Appends the bar of one line of a table, 41 characters; `share` of the whole is 0 to 1.
void append_share_bar(std::string& out, long double share);

struct BucketRange {
  size_t first, last;  // inclusive
};
// The buckets to print: from one before the first non-zero count to one after the last, within the table; nothing if
// all are zero.
std::optional<BucketRange> printed_range(AggregationWords counts);

// value / normal: signed, truncated toward zero; 0 if `normal` exceeds INT64_MAX.
int64_t normalized(int64_t value, uint64_t normal);

}  // namespace dscope
