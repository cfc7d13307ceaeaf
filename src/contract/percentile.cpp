#include "contract/percentile.h"

#include "support/format.h"

namespace dscope {

namespace {

constexpr uint32_t scale = 1000;

}  // namespace

std::optional<PercentileNumber> parse_percentile(std::string_view text) {
  uint64_t number = 0;
  uint32_t unit = 0;  // of the last digit behind the point; 0: there is no point yet
  if (text.empty() || text.front() == '.' || text.back() == '.') return std::nullopt;
  for (char c : text) {
    bool is_point = c == '.' && unit == 0;
    bool is_digit = c >= '0' && c <= '9' && unit != 1 && number <= 100 * scale;
    if (!is_point && !is_digit) return std::nullopt;
    if (is_point) {
      unit = scale;
      number *= scale;
    } else if (unit == 0) {
      number = number * 10 + static_cast<uint64_t>(c - '0');
    } else {
      unit /= 10;
      number += static_cast<uint64_t>(c - '0') * unit;
    }
  }
  if (unit == 0) number *= scale;
  return number <= 100 * scale ? std::optional(static_cast<PercentileNumber>(number)) : std::nullopt;
}

std::string percentile_text(PercentileNumber percentile) {
  std::string text = fmt::format("{}.{:03}", percentile / scale, percentile % scale);
  text.resize(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text;
}

uint64_t middle_of_percentile_bucket(uint32_t index) {
  constexpr uint32_t buckets_per_power = 32;
  if (index < 2 * buckets_per_power) return index;
  uint32_t shift = index / buckets_per_power - 1;
  uint64_t lowest = uint64_t{buckets_per_power + index % buckets_per_power} << shift;
  return lowest + ((uint64_t{1} << shift) - 1) / 2;
}

}  // namespace dscope
