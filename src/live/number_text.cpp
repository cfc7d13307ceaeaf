#include "live/number_text.h"

#include <time.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "support/format.h"

namespace dscope {

namespace {

std::string with_separators(std::string digits) {
  for (auto i = static_cast<ptrdiff_t>(digits.size()) - 3; i > 0; i -= 3) digits.insert(static_cast<size_t>(i), 1, ',');
  return digits;
}

// Three significant digits: "1.23", "12.3", "123".
std::string three_digits(double value) {
  if (value < 9.995) return fmt::format("{:.2f}", value);
  if (value < 99.95) return fmt::format("{:.1f}", value);
  return fmt::format("{:.0f}", value);
}

std::string short_text(double value) {
  constexpr std::array<std::string_view, 7> suffixes{"", "k", "M", "G", "T", "P", "E"};
  size_t power = 0;
  for (; value >= 999.5 && power + 1 < suffixes.size(); ++power) value /= 1000;
  return (power == 0 ? fmt::format("{:.0f}", value) : three_digits(value)) + std::string(suffixes[power]);
}

std::string time_text(double value) {
  constexpr std::array<std::string_view, 4> suffixes{"ns", "us", "ms", "s"};
  size_t power = 0;
  for (; value >= 999.5 && power + 1 < suffixes.size(); ++power) value /= 1000;
  if (power == 0) return fmt::format("{:.0f}ns", value);
  return (value < 999.5 ? three_digits(value) : short_text(value)) + std::string(suffixes[power]);
}

}  // namespace

NumberUnits next_units(NumberUnits units) {
  switch (units) {
    case NumberUnits::Digits: return NumberUnits::Short;
    case NumberUnits::Short: return NumberUnits::Time;
    case NumberUnits::Time: return NumberUnits::Digits;
  }
  return NumberUnits::Digits;
}

NumberUnits default_units(const PictureAggregation& info) {
  if (info.function == AggregationFunction::Count) return NumberUnits::Digits;
  std::string name;
  for (char c : info.name) name += static_cast<char>(c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c);
  constexpr std::array<std::string_view, 8> words{"nsec",  "time",    "latency", "duration",
                                                  "delay", "elapsed", "wait",    "oncpu"};
  bool has_word = std::ranges::any_of(words, [&](std::string_view word) { return name.find(word) != name.npos; });
  bool is_time = has_word || name == "ns" || name == "lat" || name.ends_with("_ns") || name.ends_with("_lat") ||
                 name.starts_with("ns_") || name.starts_with("lat_");
  return is_time ? NumberUnits::Time : NumberUnits::Digits;
}

std::string number_text(int64_t value, bool is_unsigned, NumberUnits units) {
  bool is_negative = value < 0 && !is_unsigned;
  uint64_t magnitude = is_negative ? uint64_t{0} - static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
  std::string text;
  switch (units) {
    case NumberUnits::Digits: text = with_separators(fmt::format("{}", magnitude)); break;
    case NumberUnits::Short: text = short_text(static_cast<double>(magnitude)); break;
    case NumberUnits::Time: text = time_text(static_cast<double>(magnitude)); break;
  }
  return is_negative ? "-" + text : text;
}

std::string number_within(int64_t value, bool is_unsigned, NumberUnits units, int max_columns) {
  std::string text = number_text(value, is_unsigned, units);
  if (static_cast<int>(text.size()) <= max_columns) return text;
  return number_text(value, is_unsigned, NumberUnits::Short);
}

std::string rate_text(double rate, NumberUnits units) {
  if (rate < 0) return "-" + rate_text(-rate, units);
  if (rate == 0) return "0";
  if (units == NumberUnits::Time) return time_text(rate);
  if (units == NumberUnits::Short && rate >= 999.5) return short_text(rate);
  if (rate < 99.95) return rate < 9.995 ? fmt::format("{:.2f}", rate) : fmt::format("{:.1f}", rate);
  return with_separators(fmt::format("{:.0f}", rate));
}

std::string share_text(double share) { return fmt::format("{:.1f}%", 100 * share); }

std::string elapsed_text(int64_t elapsed_ns) {
  int64_t seconds = std::max<int64_t>(elapsed_ns, 0) / 1'000'000'000;
  return fmt::format("{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
}

std::string clock_text(int64_t time_ns) {
  time_t seconds = static_cast<time_t>(time_ns / 1'000'000'000);
  struct tm local{};
  ::localtime_r(&seconds, &local);
  return fmt::format("{:02}:{:02}:{:02}.{:03}", local.tm_hour, local.tm_min, local.tm_sec, time_ns / 1'000'000 % 1000);
}

}  // namespace dscope
