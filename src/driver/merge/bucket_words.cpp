#include "driver/merge/bucket_words.h"

#include <charconv>
#include <numeric>
#include <vector>

#include "contract/percentile.h"
#include "runtime/aggregations/aggregation_value.h"

namespace dscope {

namespace {

constexpr int64_t max_16bit = 65535, max_32bit = INT32_MAX, min_32bit = INT32_MIN;
constexpr size_t ambiguous = SIZE_MAX;  // several words have the same bound

Error impossible_parameters(const AggregationPlan& plan) {
  return Error::make("@{}: {}() cannot have these parameters", plan.name, row(plan.function).name);
}

Result<uint32_t> count_linear_words(const AggregationPlan& plan) {
  auto [base, levels, step, unused] = plan.parameters;
  bool is_possible =
      base >= min_32bit && base <= max_32bit && levels >= 1 && levels <= max_16bit && step >= 1 && step <= max_16bit;
  if (!is_possible) return fail(impossible_parameters(plan));
  return static_cast<uint32_t>(levels + 2);
}

// The checker has stricter rules for the steps. Results that break them have no buckets of these bounds.
Result<uint32_t> count_logarithmic_words(const AggregationPlan& plan) {
  auto [factor, low, high, steps] = plan.parameters;
  bool is_possible =
      factor >= 2 && factor <= max_16bit && low >= 0 && high >= low && high < 64 && steps >= 1 && steps <= max_16bit;
  uint64_t end = 1;
  for (int64_t i = 0; is_possible && i <= high; ++i)
    is_possible = !__builtin_mul_overflow(end, static_cast<uint64_t>(factor), &end);
  if (!is_possible) return fail(impossible_parameters(plan));
  int64_t bins = (high - low + 1) * (steps - steps / factor);
  return static_cast<uint32_t>(2 * bins + 3);
}

}  // namespace

Result<uint32_t> count_words(const AggregationPlan& plan) {
  switch (plan.function) {
    case AggregationFunction::Count:
    case AggregationFunction::Max:
    case AggregationFunction::Min:
    case AggregationFunction::Sum: return 1;
    case AggregationFunction::Avg: return 2;
    case AggregationFunction::Stddev: return 4;
    case AggregationFunction::Quantize: return 127;
    case AggregationFunction::Lquantize: return count_linear_words(plan);
    case AggregationFunction::Llquantize: return count_logarithmic_words(plan);
    case AggregationFunction::Percentile:
      return plan.parameters[0] != 0 ? signed_percentile_words : unsigned_percentile_words;
  }
  return fail(impossible_parameters(plan));
}

BucketWords::BucketWords(const AggregationPlan& plan) {
  std::vector<int64_t> numbers(plan.data_words);
  if (!is_distribution(plan.function)) {
    for (size_t i = 0; i < numbers.size(); ++i)
      words_.emplace(std::pair{rendering(plan.function).middle_of_bucket(plan, i), std::string{}}, i);
    return;
  }
  // Each word counts its own index: the lines of this distribution are the labels of all words.
  std::iota(numbers.begin(), numbers.end(), int64_t{1});
  for (const DistributionLine& line : distribution_lines(plan, numbers)) {
    size_t number = line.label.find_last_of(' ') + 1;  // 0 if there is no blank
    int64_t bound = 0;
    std::from_chars(line.label.data() + number, line.label.data() + line.label.size(), bound);
    std::string relation = number == 0 ? "" : line.label.substr(0, number - 1);
    auto [word, is_new] = words_.emplace(std::pair{bound, std::move(relation)}, static_cast<size_t>(line.count - 1));
    if (!is_new) word->second = ambiguous;  // the JSON of bounds above 2^63 is 0
  }
}

std::optional<size_t> BucketWords::find(const std::string& relation, int64_t value) const {
  auto found = words_.find({value, relation});
  // llquantize() prints the bucket around 0 as "<" if no value is negative.
  if (found == words_.end() && relation == "<") found = words_.find({value, "abs() <"});
  if (found == words_.end() || found->second == ambiguous) return std::nullopt;
  return found->second;
}

}  // namespace dscope
