#include "runtime/aggregations/aggregation_value.h"

#include "runtime/format/append_text.h"

namespace dscope {

namespace {

int64_t add(int64_t a, int64_t b) { return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b)); }
int64_t subtract(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) - static_cast<uint64_t>(b));
}

// The sum of squares is one number in words 2 and 3: the carry goes from one to the other.
constexpr size_t low_square = 2, high_square = 3;

bool has_squares(const AggregationPlan& plan) {
  return plan.function == AggregationFunction::Stddev && plan.data_words == 4;
}

}  // namespace

void add_words(const AggregationPlan& plan, std::span<int64_t> to, AggregationWords words) {
  for (size_t i = 0; i < to.size() && i < words.size(); ++i) to[i] = add(to[i], words[i]);
  bool carries = has_squares(plan) && static_cast<uint64_t>(to[low_square]) < static_cast<uint64_t>(words[low_square]);
  if (carries) to[high_square] = add(to[high_square], 1);
}

void subtract_words(const AggregationPlan& plan, std::span<int64_t> from, AggregationWords words) {
  bool borrows =
      has_squares(plan) && static_cast<uint64_t>(from[low_square]) < static_cast<uint64_t>(words[low_square]);
  for (size_t i = 0; i < from.size() && i < words.size(); ++i) from[i] = subtract(from[i], words[i]);
  if (borrows) from[high_square] = subtract(from[high_square], 1);
}

bool is_distribution(AggregationFunction function) {
  return function == AggregationFunction::Quantize || function == AggregationFunction::Lquantize ||
         function == AggregationFunction::Llquantize;
}

AggregationWeight weight_of(const AggregationPlan& plan, AggregationWords words) {
  switch (plan.function) {
    case AggregationFunction::Quantize: return quantize_weight(words);
    case AggregationFunction::Lquantize: return lquantize_weight(plan, words);
    case AggregationFunction::Llquantize: return llquantize_weight(plan, words);
    case AggregationFunction::Stddev:
      return {.weight = static_cast<long double>(static_cast<uint64_t>(scalar_value(plan, words, 1)))};
    case AggregationFunction::Avg:
    case AggregationFunction::Count:
    case AggregationFunction::Max:
    case AggregationFunction::Min:
    case AggregationFunction::Sum: break;
  }
  return {.weight = static_cast<long double>(scalar_value(plan, words, 1))};
}

std::vector<DistributionLine> distribution_lines(const AggregationPlan& plan, AggregationWords words) {
  switch (plan.function) {
    case AggregationFunction::Quantize: return quantize_lines(words);
    case AggregationFunction::Lquantize: return lquantize_lines(plan, words);
    case AggregationFunction::Llquantize: return llquantize_lines(plan, words);
    case AggregationFunction::Avg:
    case AggregationFunction::Count:
    case AggregationFunction::Max:
    case AggregationFunction::Min:
    case AggregationFunction::Stddev:
    case AggregationFunction::Sum: break;
  }
  return {};
}

void append_value(std::string& out, const AggregationPlan& plan, AggregationWords words, uint64_t normal,
                  DistributionStyle style) {
  if (is_distribution(plan.function)) return append_distribution(out, distribution_lines(plan, words), normal, style);
  int64_t value = scalar_value(plan, words, normal);
  out += ' ';
  if (plan.function == AggregationFunction::Stddev) append_unsigned(out, static_cast<uint64_t>(value), 16);
  else append_signed(out, value, 16);
}

}  // namespace dscope
