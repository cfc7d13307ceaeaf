#include "runtime/aggregations/aggregation_value.h"

#include "runtime/output/append_text.h"

namespace dscope {

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
