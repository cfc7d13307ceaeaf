// Values of aggregating functions, merged over CPUs: printing, and what elements are ordered by
// (consumer-and-actions.md 5.4, 5.5, 5.9). Each family has a file of its own; words are laid out as
// AggregationPlan::data_words says.
#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <string>

#include "contract/program_plan.h"
#include "runtime/aggregations/distribution.h"

namespace dscope {

// Any 64-bit value, signed or not, is exact in `weight`; distributions with equal weights are told apart by the count
// in their zero bucket.
struct AggregationWeight {
  long double weight = 0;
  int64_t zero_count = 0;
  std::partial_ordering operator<=>(const AggregationWeight&) const = default;
};

bool is_distribution(AggregationFunction function);
// Word by word, of values that add up; both sides have the plan's data_words. Numbers wrap.
void add_words(const AggregationPlan& plan, std::span<int64_t> to, AggregationWords words);
void subtract_words(const AggregationPlan& plan, std::span<int64_t> from, AggregationWords words);
AggregationWeight weight_of(const AggregationPlan& plan, AggregationWords words);
// Default form, as in a row of printa(@a): number with its leading blank and width, or distribution. `normal` is not 0.
void append_value(std::string& out, const AggregationPlan& plan, AggregationWords words, uint64_t normal,
                  DistributionStyle style = {});
// The buckets that are printed of a distribution, counts not divided yet.
std::vector<DistributionLine> distribution_lines(const AggregationPlan& plan, AggregationWords words);

// scalar.cpp: count sum min max avg stddev. The bits of stddev's result are unsigned.
int64_t scalar_value(const AggregationPlan& plan, AggregationWords words, uint64_t normal);

// quantize.cpp, lquantize.cpp, llquantize.cpp
std::vector<DistributionLine> quantize_lines(AggregationWords words);
std::vector<DistributionLine> lquantize_lines(const AggregationPlan& plan, AggregationWords words);
std::vector<DistributionLine> llquantize_lines(const AggregationPlan& plan, AggregationWords words);
AggregationWeight quantize_weight(AggregationWords words);
AggregationWeight lquantize_weight(const AggregationPlan& plan, AggregationWords words);
AggregationWeight llquantize_weight(const AggregationPlan& plan, AggregationWords words);

}  // namespace dscope
