#include "pictures/element_merge.h"

#include <algorithm>

namespace dscope {

namespace {

// Sums wrap as in D.
int64_t wrapped_sum(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
}

void merge_numbers(AggregationFunction function, int64_t& into, int64_t number) {
  if (function == AggregationFunction::Min) into = std::min(into, number);
  else if (function == AggregationFunction::Max) into = std::max(into, number);
  else into = wrapped_sum(into, number);
}

void merge_buckets(std::vector<PictureBucket>& into, const std::vector<PictureBucket>& buckets) {
  for (const PictureBucket& bucket : buckets) {
    auto place = std::ranges::lower_bound(into, bucket.low, {}, &PictureBucket::low);
    if (place != into.end() && place->low == bucket.low) place->count = wrapped_sum(place->count, bucket.count);
    else into.insert(place, bucket);
  }
}

}  // namespace

bool can_merge(AggregationFunction function) { return function != AggregationFunction::Percentile; }

void merge_value(AggregationFunction function, PictureValue& sum, const PictureValue& value) {
  if (sum.is_empty()) {
    sum = value;
  } else {
    for (size_t i = 0; i < sum.numbers.size() && i < value.numbers.size(); ++i)
      merge_numbers(function, sum.numbers[i], value.numbers[i]);
    merge_buckets(sum.buckets, value.buckets);
    sum.parts.count = wrapped_sum(sum.parts.count, value.parts.count);
    sum.parts.sum = wrapped_sum(sum.parts.sum, value.parts.sum);
    sum.parts.sum_of_squares += value.parts.sum_of_squares;
  }
  if (function == AggregationFunction::Avg || function == AggregationFunction::Stddev) sum.numbers.clear();
}

}  // namespace dscope
