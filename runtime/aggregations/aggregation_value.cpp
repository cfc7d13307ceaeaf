#include "runtime/aggregations/aggregation_value.h"

#include <algorithm>

#include "runtime/format/append_text.h"

namespace dscope {

namespace {

int64_t add(int64_t a, int64_t b) { return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b)); }
int64_t subtract(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) - static_cast<uint64_t>(b));
}

// The low word of the plan's 128-bit number, if its function has one; the carry goes to the next word.
std::optional<size_t> wide_word(const AggregationPlan& plan, size_t words) {
  std::optional<size_t> low = rendering(plan.function).wide_word;
  return low && *low + 1 < words ? low : std::nullopt;
}

bool is_less(int64_t a, int64_t b) { return static_cast<uint64_t>(a) < static_cast<uint64_t>(b); }

}  // namespace

const AggregationRendering& rendering(AggregationFunction function) {
  static constexpr const AggregationRendering* renderings[] = {
#define DS_AGGREGATION(id, ...) &rendering_##id,
#include "catalog/aggregations.def"
#undef DS_AGGREGATION
  };
  return *renderings[static_cast<size_t>(function)];
}

void add_words(const AggregationPlan& plan, std::span<int64_t> to, AggregationWords words) {
  for (size_t i = 0; i < to.size() && i < words.size(); ++i) to[i] = add(to[i], words[i]);
  auto low = wide_word(plan, std::min(to.size(), words.size()));
  if (low && is_less(to[*low], words[*low])) to[*low + 1] = add(to[*low + 1], 1);
}

void subtract_words(const AggregationPlan& plan, std::span<int64_t> from, AggregationWords words) {
  auto low = wide_word(plan, std::min(from.size(), words.size()));
  bool borrows = low && is_less(from[*low], words[*low]);
  for (size_t i = 0; i < from.size() && i < words.size(); ++i) from[i] = subtract(from[i], words[i]);
  if (borrows) from[*low + 1] = subtract(from[*low + 1], 1);
}

AggregationWeight weight_of(const AggregationPlan& plan, AggregationWords words) {
  const AggregationRendering& function = rendering(plan.function);
  if (function.weight != nullptr) return function.weight(plan, words);
  int64_t value = function.scalar(words, 1);
  return {.weight = function.is_unsigned ? static_cast<long double>(static_cast<uint64_t>(value))
                                         : static_cast<long double>(value)};
}

std::vector<DistributionLine> distribution_lines(const AggregationPlan& plan, AggregationWords words) {
  const AggregationRendering& function = rendering(plan.function);
  return function.lines != nullptr ? function.lines(plan, words) : std::vector<DistributionLine>{};
}

int64_t scalar_value(const AggregationPlan& plan, AggregationWords words, uint64_t normal) {
  const AggregationRendering& function = rendering(plan.function);
  return function.scalar != nullptr ? function.scalar(words, normal) : 0;
}

void append_value(std::string& out, const AggregationPlan& plan, AggregationWords words, uint64_t normal,
                  DistributionStyle style) {
  if (is_distribution(plan.function)) return append_distribution(out, distribution_lines(plan, words), normal, style);
  int64_t value = scalar_value(plan, words, normal);
  out += ' ';
  if (rendering(plan.function).is_unsigned) append_unsigned(out, static_cast<uint64_t>(value), 16);
  else append_signed(out, value, 16);
}

}  // namespace dscope
