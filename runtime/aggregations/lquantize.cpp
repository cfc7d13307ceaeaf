// lquantize(): an underflow bucket, buckets of equal width, an overflow bucket. Parameters: base, levels, step.
#include "runtime/aggregations/aggregation_value.h"

namespace dscope {

namespace {

// The lower bound of a bucket; for the overflow bucket this is the end of the range.
int64_t bound_of(const AggregationPlan& plan, size_t bucket) {
  return plan.parameters[0] + (static_cast<int64_t>(bucket) - 1) * plan.parameters[2];
}

std::string label_of(const AggregationPlan& plan, size_t bucket, size_t buckets) {
  if (bucket == 0) return fmt::format("< {}", plan.parameters[0]);
  return fmt::format("{}{}", bucket + 1 == buckets ? ">= " : "", bound_of(plan, bucket));
}

std::vector<DistributionLine> lquantize_lines(const AggregationPlan& plan, AggregationWords words) {
  BucketRange range = printed_range(words).value_or(BucketRange{0, 2});
  std::vector<DistributionLine> lines;
  for (size_t i = range.first; i <= range.last && i < words.size(); ++i)
    lines.push_back({label_of(plan, i, words.size()), words[i]});
  return lines;
}

AggregationWeight lquantize_weight(const AggregationPlan& plan, AggregationWords words) {
  AggregationWeight result;
  for (size_t i = 0; i < words.size(); ++i) {
    bool is_overflow = i + 1 == words.size();
    int64_t label = i == 0 ? plan.parameters[0] - 1 : bound_of(plan, i) + (is_overflow ? 1 : 0);
    result.weight += static_cast<long double>(label) * static_cast<long double>(words[i]);
    if (i != 0 && !is_overflow && label == 0) result.zero_count = words[i];
  }
  return result;
}

// Returns the value below the range for the underflow bucket and the end of the range for the overflow bucket.
int64_t lquantize_middle(const AggregationPlan& plan, size_t word) {
  if (word == 0) return plan.parameters[0] - 1;
  bool is_overflow = static_cast<int64_t>(word) > plan.parameters[1];
  return bound_of(plan, word) + (is_overflow ? 0 : (plan.parameters[2] - 1) / 2);
}

BucketBounds lquantize_bounds(const AggregationPlan& plan, size_t word) {
  if (word == 0) return {INT64_MIN, plan.parameters[0]};
  bool is_overflow = static_cast<int64_t>(word) > plan.parameters[1];
  return {bound_of(plan, word), is_overflow ? INT64_MAX : bound_of(plan, word + 1)};
}

}  // namespace

const AggregationRendering rendering_Lquantize{.lines = lquantize_lines,
                                               .weight = lquantize_weight,
                                               .middle_of_bucket = lquantize_middle,
                                               .bounds = lquantize_bounds};

}  // namespace dscope
