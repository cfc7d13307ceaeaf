// count, sum, min, max, avg, stddev: one number each.
#include "runtime/aggregations/aggregation_value.h"

namespace dscope {

namespace {

__extension__ typedef unsigned __int128 Uint128;

// Floor of the square root, bit by bit from the top.
uint64_t square_root(Uint128 value) {
  Uint128 root = 0;
  for (Uint128 bit = Uint128{1} << 126; bit != 0; bit >>= 2) {
    if (value >= root + bit) {
      value -= root + bit;
      root = (root >> 1) + bit;
    } else {
      root >>= 1;
    }
  }
  return static_cast<uint64_t>(root);
}

int64_t average(int64_t count, int64_t total, uint64_t normal) {
  return count == 0 ? 0 : normalized(total, normal) / count;
}

// words: count, total, sum of squares low, high.
uint64_t standard_deviation(AggregationWords words, uint64_t normal) {
  int64_t count = words[0];
  if (count == 0) return 0;
  int64_t mean = average(count, words[1], normal);
  auto magnitude = mean < 0 ? uint64_t{0} - static_cast<uint64_t>(mean) : static_cast<uint64_t>(mean);
  Uint128 squares = (Uint128{static_cast<uint64_t>(words[3])} << 64) | static_cast<uint64_t>(words[2]);
  Uint128 mean_square = squares / normal / static_cast<uint64_t>(count);
  Uint128 square_mean = Uint128{magnitude} * magnitude;
  return mean_square < square_mean ? 0 : square_root(mean_square - square_mean);
}

}  // namespace

int64_t scalar_value(const AggregationPlan& plan, AggregationWords words, uint64_t normal) {
  if (plan.function == AggregationFunction::Avg && words.size() >= 2) return average(words[0], words[1], normal);
  if (plan.function == AggregationFunction::Stddev && words.size() >= 4)
    return static_cast<int64_t>(standard_deviation(words, normal));
  return words.empty() ? 0 : normalized(words[0], normal);
}

}  // namespace dscope
