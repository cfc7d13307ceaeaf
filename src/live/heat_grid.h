// HeatGrid: the history of a distribution as a grid of counts: a row for each bucket, a column for each time. And the
// rows of a histogram, whose buckets are the same.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "pictures/run_model.h"

namespace dscope {

// The buckets of the element, or of all elements, in ascending order, with the empty ones between them.
std::vector<PictureBucket> bucket_rows(const AggregationModel& model, std::optional<uint32_t> element);
// Joins neighbors so that there are at most `max_rows`.
std::vector<PictureBucket> join_buckets(const std::vector<PictureBucket>& rows, size_t max_rows);

struct HeatGrid {
  std::vector<PictureBucket> buckets;        // with the counts of the whole run
  std::vector<std::vector<double>> columns;  // the counts by bucket, oldest column first
  int64_t column_ns = 0;                     // the length of a column
  int64_t end_ns = 0;                        // the end of the last column; it may be in the future
  double largest = 0;
};

// Makes grids, and keeps the sums of past intervals over all elements, which are expensive.
class HeatHistory {
 public:
  // The grid of one element, or the sum of all.
  HeatGrid grid(const AggregationModel& model, std::optional<uint32_t> element, std::vector<PictureBucket> buckets,
                int64_t column_ns, size_t max_columns);

 private:
  struct Sums {
    int64_t begin_ns = 0, end_ns = 0;
    size_t cell_count = 0;
    std::vector<HistoryCell> cells;
  };
  const std::vector<HistoryCell>& sums_of(const AggregationHistory& history, size_t interval);

  std::vector<Sums> sums_;  // by interval
};

// The value below which `share` (0 to 1) of the values are: the upper bound of their bucket.
int64_t percentile_bound(const std::vector<PictureBucket>& buckets, double share);

}  // namespace dscope
