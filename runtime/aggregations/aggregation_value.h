// Values of aggregating functions, merged over CPUs: how they print, how elements are ordered
// (consumer-and-actions.md 5.4, 5.5, 5.9). Each row of catalog/aggregations.def has one rendering_##id, defined in the
// file of its family. Words are laid out as AggregationPlan::data_words says.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "contract/program_plan.h"
#include "runtime/aggregations/distribution.h"

namespace dscope {

// The sort key of elements. `weight` holds any 64-bit value, signed or not, exactly; distributions of equal weight
// are ordered by the count in their zero bucket.
struct AggregationWeight {
  long double weight = 0;
  int64_t zero_count = 0;

  std::partial_ordering operator<=>(const AggregationWeight&) const = default;
};

// The values that a bucket counts: from `low` up to, not including, `high`. The outermost buckets have the bounds
// INT64_MIN and INT64_MAX, which they include.
struct BucketBounds {
  int64_t low, high;
};

// The consumer's half of an aggregating function.
struct AggregationRendering {
  // Distributions: the buckets to print, with counts that are not yet divided by the normal. Null: a scalar.
  std::vector<DistributionLine> (*lines)(const AggregationPlan& plan, AggregationWords words) = nullptr;
  // Distributions and percentile(): the sort weight.
  AggregationWeight (*weight)(const AggregationPlan& plan, AggregationWords words) = nullptr;
  // Scalars: the number to print, divided by `normal` (not 0). Null: a distribution or percentile().
  int64_t (*scalar)(AggregationWords words, uint64_t normal) = nullptr;
  // Distributions and percentile(): the value that stands for all values counted in a word. Ascends with the words.
  int64_t (*middle_of_bucket)(const AggregationPlan& plan, size_t word) = nullptr;
  // Distributions: the values that are counted in a word.
  BucketBounds (*bounds)(const AggregationPlan& plan, size_t word) = nullptr;
  bool is_unsigned = false;  // the bits of the scalar are an unsigned number
  bool has_bar = false;      // option agghist can print it as a bar: a sum that starts at 0
  // Index of the low word of a 128-bit number in words `i` and `i + 1`; the other words are 64-bit numbers.
  std::optional<size_t> wide_word = std::nullopt;
};

// extern const AggregationRendering rendering_Count, ...: a row whose rendering is missing does not link.
#define DS_AGGREGATION(id, ...) extern const AggregationRendering rendering_##id;
#include "catalog/aggregations.def"
#undef DS_AGGREGATION

const AggregationRendering& rendering(AggregationFunction function);

inline bool is_distribution(AggregationFunction function) { return rendering(function).lines != nullptr; }
// Adds and subtracts word by word; both sides have the plan's data_words. Numbers wrap.
void add_words(const AggregationPlan& plan, std::span<int64_t> to, AggregationWords words);
void subtract_words(const AggregationPlan& plan, std::span<int64_t> from, AggregationWords words);

AggregationWeight weight_of(const AggregationPlan& plan, AggregationWords words);

// Appends the default form, as in a row of printa(@a): a number with its leading blank and width, or a distribution.
// `normal` is not 0.
void append_value(std::string& out, const AggregationPlan& plan, AggregationWords words, uint64_t normal,
                  DistributionStyle style = {});

// Adds `words` to `to`, as the aggregating function combines values: sums, the smallest, the largest.
void merge_words(const AggregationPlan& plan, std::span<int64_t> to, AggregationWords words);

// Returns the buckets to print, before division by the normal; empty for a scalar.
std::vector<DistributionLine> distribution_lines(const AggregationPlan& plan, AggregationWords words);
// The number of a scalar, divided by `normal` (not 0); 0 for other functions. See AggregationRendering::is_unsigned.
int64_t scalar_value(const AggregationPlan& plan, AggregationWords words, uint64_t normal);
// The columns of a value: the number of a scalar, or the percentiles that percentile() prints, divided by `normal` (not
// 0). None for a distribution.
std::vector<int64_t> column_values(const AggregationPlan& plan, AggregationWords words, uint64_t normal);
// Returns, for distributions and percentile(), the smallest value that is not below `percentile` percent of the counted
// values, as the middle of its bucket. Ignores buckets with negative counts. 0 if no count is positive.
int64_t percentile_of(const AggregationPlan& plan, AggregationWords words, PercentileNumber percentile);
// The sum of the counts of all buckets.
int64_t total_count(AggregationWords words);

}  // namespace dscope
