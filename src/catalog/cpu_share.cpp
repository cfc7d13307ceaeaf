#include "catalog/cpu_share.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace dscope {

namespace {

bool is_decimal(std::string_view digits, size_t max_digits) {
  return !digits.empty() && digits.size() <= max_digits &&
         std::ranges::all_of(digits, [](unsigned char c) { return std::isdigit(c) != 0; });
}

}  // namespace

std::optional<int64_t> parse_cpu_share(std::string_view text) {
  constexpr int64_t millionths_of_percent = 10'000, max_percent = 100'000;
  constexpr size_t max_whole_digits = 6, max_decimals = 4;
  if (!text.ends_with('%')) return std::nullopt;
  text.remove_suffix(1);
  std::string_view whole = text.substr(0, text.find('.'));
  std::string_view decimals = text.substr(std::min(whole.size() + 1, text.size()));
  bool has_point = whole.size() < text.size();
  if (!is_decimal(whole, max_whole_digits) || (has_point && !is_decimal(decimals, max_decimals))) return std::nullopt;
  int64_t share = 0;
  for (char digit : whole) share = share * 10 + (digit - '0');
  share *= millionths_of_percent;
  int64_t unit = millionths_of_percent / 10;
  for (char digit : decimals) share += (digit - '0') * std::exchange(unit, unit / 10);
  if (share == 0 || share > max_percent * millionths_of_percent) return std::nullopt;
  return share;
}

}  // namespace dscope
