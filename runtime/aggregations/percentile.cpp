// percentile(): a log-linear histogram (contract/percentile.h) of which only percentiles are printed. Parameter: the
// index of the word of value 0.
#include <algorithm>

#include "contract/percentile.h"
#include "runtime/aggregations/aggregation_value.h"

namespace dscope {

namespace {

int64_t percentile_middle(const AggregationPlan& plan, size_t word) {
  auto zero = static_cast<size_t>(plan.parameters[0]);
  bool is_negative = word < zero;
  uint64_t middle = middle_of_percentile_bucket(static_cast<uint32_t>(is_negative ? zero - word : word - zero));
  constexpr uint64_t lowest = uint64_t{1} << 63;  // the only value of the first bucket
  return static_cast<int64_t>(is_negative ? 0 - std::min(middle, lowest) : middle);
}

// Lists of percentiles mostly ascend, so the last one ranks the keys by their worst values.
AggregationWeight last_percentile(const AggregationPlan& plan, AggregationWords words) {
  return {.weight = static_cast<long double>(percentile_of(plan, words, plan.percentiles.back()))};
}

}  // namespace

const AggregationRendering rendering_Percentile{.weight = last_percentile, .middle_of_bucket = percentile_middle};

}  // namespace dscope
