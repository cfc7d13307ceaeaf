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

void merge_words(const AggregationPlan& plan, std::span<int64_t> to, AggregationWords words) {
  switch (row(plan.function).merge) {
    case AggregationMerge::Add: return add_words(plan, to, words);
    case AggregationMerge::Min: to[0] = std::min(to[0], words[0]); return;
    case AggregationMerge::Max: to[0] = std::max(to[0], words[0]); return;
  }
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

std::vector<int64_t> column_values(const AggregationPlan& plan, AggregationWords words, uint64_t normal) {
  std::vector<int64_t> columns;
  for (PercentileNumber each : plan.percentiles)
    columns.push_back(normalized(percentile_of(plan, words, each), normal));
  if (rendering(plan.function).scalar != nullptr) columns.push_back(scalar_value(plan, words, normal));
  return columns;
}

int64_t percentile_of(const AggregationPlan& plan, AggregationWords words, PercentileNumber percentile) {
  __extension__ typedef unsigned __int128 Uint128;
  constexpr uint64_t whole = 100'000;
  Uint128 total = 0, seen = 0;
  for (int64_t count : words) total += static_cast<uint64_t>(std::max<int64_t>(count, 0));
  Uint128 rank = std::max<Uint128>(1, (total * percentile + whole - 1) / whole);
  for (size_t i = 0; i < words.size(); ++i) {
    seen += static_cast<uint64_t>(std::max<int64_t>(words[i], 0));
    if (seen >= rank) return rendering(plan.function).middle_of_bucket(plan, i);
  }
  return 0;
}

int64_t total_count(AggregationWords words) {
  int64_t total = 0;
  for (int64_t count : words) total = add(total, count);
  return total;
}

void append_value(std::string& out, const AggregationPlan& plan, AggregationWords words, uint64_t normal,
                  DistributionStyle style) {
  if (is_distribution(plan.function)) return append_distribution(out, distribution_lines(plan, words), normal, style);
  for (int64_t value : column_values(plan, words, normal)) {
    out += ' ';
    if (rendering(plan.function).is_unsigned) append_unsigned(out, static_cast<uint64_t>(value), 16);
    else append_signed(out, value, 16);
  }
}

}  // namespace dscope
