// The table of a distribution: header, one line per bucket with label, bar and count (consumer-and-actions.md 5.9).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "runtime/aggregations/aggregation_value.h"

namespace dscope {

struct DistributionLine {
  std::string label;
  int64_t count = 0;
};

// Bars are in proportion to the counts as they are, the printed counts are divided by `normal`.
void append_distribution(std::string& out, const std::vector<DistributionLine>& lines, uint64_t normal);

struct BucketRange {
  size_t first, last;  // both printed
};
// From one bucket before the first that is not zero to one after the last, within the table; nothing if all are zero.
std::optional<BucketRange> printed_range(AggregationWords counts);

}  // namespace dscope
