#include "runtime/aggregations/aggregation_value.h"

#include <limits>

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

void append_value(std::string& out, const AggregationPlan& plan, AggregationWords words, uint64_t normal) {
  switch (plan.function) {
    case AggregationFunction::Quantize: return append_quantize(out, words, normal);
    case AggregationFunction::Lquantize: return append_lquantize(out, plan, words, normal);
    case AggregationFunction::Llquantize: return append_llquantize(out, plan, words, normal);
    case AggregationFunction::Avg:
    case AggregationFunction::Count:
    case AggregationFunction::Max:
    case AggregationFunction::Min:
    case AggregationFunction::Stddev:
    case AggregationFunction::Sum: break;
  }
  int64_t value = scalar_value(plan, words, normal);
  out += ' ';
  if (plan.function == AggregationFunction::Stddev) append_unsigned(out, static_cast<uint64_t>(value), 16);
  else append_signed(out, value, 16);
}

int64_t normalized(int64_t value, uint64_t normal) {
  if (normal > static_cast<uint64_t>(std::numeric_limits<int64_t>::max())) return 0;
  return value / static_cast<int64_t>(normal);
}

}  // namespace dscope
