// quantize(): 127 buckets at powers of two; index 63 is the bucket of 0.
#include "runtime/aggregations/aggregation_value.h"

namespace dscope {

namespace {

constexpr size_t zero_bucket = 63;

int64_t label_of(size_t bucket) {
  if (bucket == zero_bucket) return 0;
  return bucket > zero_bucket ? int64_t{1} << (bucket - zero_bucket - 1) : -(int64_t{1} << (zero_bucket - 1 - bucket));
}

std::vector<DistributionLine> quantize_lines(const AggregationPlan&, AggregationWords words) {
  BucketRange range = printed_range(words).value_or(BucketRange{zero_bucket - 1, zero_bucket + 1});
  std::vector<DistributionLine> lines;
  for (size_t i = range.first; i <= range.last && i < words.size(); ++i)
    lines.push_back({fmt::format("{}", label_of(i)), words[i]});
  return lines;
}

AggregationWeight quantize_weight(const AggregationPlan&, AggregationWords words) {
  AggregationWeight result;
  for (size_t i = 0; i < words.size(); ++i)
    result.weight += static_cast<long double>(label_of(i)) * static_cast<long double>(words[i]);
  if (words.size() > zero_bucket) result.zero_count = words[zero_bucket];
  return result;
}

int64_t quantize_middle(const AggregationPlan&, size_t word) {
  int64_t bound = label_of(word);  // also the width of the bucket
  return bound + (bound > 0 ? bound - 1 : bound + 1) / 2;
}

// A negative bucket counts the values from its label down to twice that value.
BucketBounds quantize_bounds(const AggregationPlan&, size_t word) {
  constexpr size_t last = 2 * zero_bucket;
  if (word == zero_bucket) return {0, 1};
  int64_t label = label_of(word);
  if (word > zero_bucket) return {label, word >= last ? INT64_MAX : label * 2};
  return {word == 0 ? INT64_MIN : label * 2 + 1, label + 1};
}

}  // namespace

const AggregationRendering rendering_Quantize{
    .lines = quantize_lines, .weight = quantize_weight, .middle_of_bucket = quantize_middle, .bounds = quantize_bounds};

}  // namespace dscope
