// llquantize(): logarithmic ranges [factor^m, factor^(m+1)), each split into equal bins; negative values are mirrored.
// Parameters: factor, low magnitude, high magnitude, steps. Words: negative overflow, negative bins toward zero, the
// middle, positive bins upwards, positive overflow.
#include "runtime/aggregations/aggregation_value.h"

namespace dscope {

namespace {

struct Shape {
  uint64_t factor, low, high, steps;
  uint64_t skipped;  // leading bins of a range that would overlap lower ranges
  uint64_t bins_per_range;
  size_t bins;  // on one side
  size_t middle() const { return bins + 1; }
  size_t words() const { return 2 * bins + 3; }
};

Shape shape_of(const AggregationPlan& plan) {
  Shape shape{};
  shape.factor = static_cast<uint64_t>(plan.parameters[0]);
  shape.low = static_cast<uint64_t>(plan.parameters[1]);
  shape.high = static_cast<uint64_t>(plan.parameters[2]);
  shape.steps = static_cast<uint64_t>(plan.parameters[3]);
  shape.skipped = shape.steps / shape.factor;
  shape.bins_per_range = shape.steps - shape.skipped;
  shape.bins = (shape.high - shape.low + 1) * shape.bins_per_range;
  return shape;
}

uint64_t power(uint64_t base, uint64_t exponent) {
  uint64_t result = 1;
  while (exponent-- > 0) result *= base;
  return result;
}

// Lower bound of |v| in bin `distance` steps away from the middle (1 is the first); bins + 1 is the overflow.
uint64_t bound_of(const Shape& shape, size_t distance) {
  if (distance == shape.bins + 1) return power(shape.factor, shape.high + 1);
  uint64_t magnitude = shape.low + (distance - 1) / shape.bins_per_range;
  uint64_t bin = (distance - 1) % shape.bins_per_range;
  // The quotient is whole for every range but the first of low magnitude 0, where the product is small. Elsewhere
  // the product may not fit in 64 bits.
  __extension__ typedef unsigned __int128 Uint128;
  Uint128 bound = Uint128{shape.skipped + bin} * power(shape.factor, magnitude + 1) / shape.steps;
  return std::max(power(shape.factor, magnitude), static_cast<uint64_t>(bound));
}

// With low magnitude 0 and steps > factor, bins of the first range are narrower than 1: some contain no integer.
bool has_no_integer(const Shape& shape, size_t distance) {
  if (shape.low != 0 || shape.steps <= shape.factor || distance == 0 || distance > shape.bins_per_range) return false;
  uint64_t bin = shape.skipped + distance - 1;
  uint64_t smallest = (bin * shape.factor + shape.steps - 1) / shape.steps;
  return smallest * shape.steps / shape.factor != bin;
}

size_t distance_of(const Shape& shape, size_t word) {
  return word < shape.middle() ? shape.middle() - word : word - shape.middle();
}

std::string label_of(const Shape& shape, size_t word, size_t first_printed) {
  if (word == shape.middle()) {
    uint64_t smallest = power(shape.factor, shape.low);
    if (smallest == 1) return "0";
    return fmt::format("{} {}", first_printed >= shape.middle() ? "<" : "abs() <", smallest);
  }
  uint64_t bound = bound_of(shape, distance_of(shape, word));
  if (word == 0) return fmt::format("<= -{}", bound);
  if (word + 1 == shape.words()) return fmt::format(">= {}", bound);
  return fmt::format("{}{}", word < shape.middle() ? "-" : "", bound);
}

// Moves a boundary that falls on a bin without integers outwards to the next bin that has some.
BucketRange widened(const Shape& shape, BucketRange range) {
  auto is_unused = [&](size_t word) { return has_no_integer(shape, distance_of(shape, word)); };
  while (range.first > 0 && is_unused(range.first)) --range.first;
  while (range.last + 1 < shape.words() && is_unused(range.last)) ++range.last;
  return range;
}

std::vector<DistributionLine> llquantize_lines(const AggregationPlan& plan, AggregationWords words) {
  Shape shape = shape_of(plan);
  BucketRange around_first_positive{shape.middle(), shape.middle() + 2};
  BucketRange range = widened(shape, printed_range(words).value_or(around_first_positive));
  std::vector<DistributionLine> lines;
  for (size_t i = range.first; i <= range.last && i < words.size(); ++i)
    if (!has_no_integer(shape, distance_of(shape, i))) lines.push_back({label_of(shape, i, range.first), words[i]});
  return lines;
}

AggregationWeight llquantize_weight(const AggregationPlan& plan, AggregationWords words) {
  Shape shape = shape_of(plan);
  AggregationWeight result;
  if (words.size() < shape.words()) return result;
  for (size_t distance = 1; distance <= shape.bins + 1; ++distance) {
    auto difference = static_cast<long double>(words[shape.middle() + distance]) -
                      static_cast<long double>(words[shape.middle() - distance]);
    result.weight += static_cast<long double>(bound_of(shape, distance)) * difference;
  }
  result.zero_count = words[shape.middle()];
  return result;
}

// Returns the bound for overflow buckets and 0 for the middle bin.
int64_t llquantize_middle(const AggregationPlan& plan, size_t word) {
  Shape shape = shape_of(plan);
  size_t distance = distance_of(shape, word);
  if (distance == 0) return 0;
  uint64_t middle = bound_of(shape, distance);
  if (distance <= shape.bins) middle += (bound_of(shape, distance + 1) - 1 - middle) / 2;
  return static_cast<int64_t>(word < shape.middle() ? 0 - middle : middle);
}

// The bin in the middle counts the values closer to 0 than the first bins on both sides.
BucketBounds llquantize_bounds(const AggregationPlan& plan, size_t word) {
  Shape shape = shape_of(plan);
  size_t distance = distance_of(shape, word);
  auto begin = static_cast<int64_t>(distance == 0 ? 0 : bound_of(shape, distance));
  int64_t end = distance > shape.bins ? INT64_MAX : static_cast<int64_t>(bound_of(shape, distance + 1));
  if (distance == 0) return {1 - end, end};
  if (word > shape.middle()) return {begin, end};
  return {distance > shape.bins ? INT64_MIN : 1 - end, 1 - begin};
}

}  // namespace

const AggregationRendering rendering_Llquantize{.lines = llquantize_lines,
                                                .weight = llquantize_weight,
                                                .middle_of_bucket = llquantize_middle,
                                                .bounds = llquantize_bounds};

}  // namespace dscope
