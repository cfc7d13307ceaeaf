// Parses probe names of the profile provider: "profile-997", "tick-10ms". Used by the provider and by the tests' host.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>

#include "catalog/time_units.h"
#include "support/text/words.h"

namespace dscope {

struct IntervalName {
  bool is_tick = false;
  uint64_t period_ns = 0;
};

// 5000 firings per second: shorter intervals would use up the machine.
constexpr uint64_t min_interval_ns = 200'000;

// Nanoseconds of "10ms", "997" (per second) and so on; nullopt if the text is not an interval or exceeds 64 bits.
inline std::optional<uint64_t> read_interval(std::string_view text) {
  uint64_t count = 0;
  auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (status != std::errc{} || count == 0) return std::nullopt;
  std::string_view unit{end, static_cast<size_t>(text.data() + text.size() - end)};
  if (unit.empty() || equals_ignoring_case(unit, "hz")) return static_cast<uint64_t>(nanoseconds_per_second) / count;
  auto length = nanoseconds_of_unit(unit);
  if (!length || count > static_cast<uint64_t>(INT64_MAX / *length)) return std::nullopt;
  return count * static_cast<uint64_t>(*length);
}

// True if the name has the prefix of this provider's names; the rest may be invalid.
inline bool is_interval_word(std::string_view name) {
  return name.starts_with("tick-") || name.starts_with("profile-");
}

// Accepts intervals of any length; callers reject those below `min_interval_ns`.
inline std::optional<IntervalName> read_interval_name(std::string_view name) {
  constexpr std::string_view tick = "tick-", profile = "profile-";
  bool is_tick = name.starts_with(tick);
  if (!is_tick && !name.starts_with(profile)) return std::nullopt;
  auto period = read_interval(name.substr(is_tick ? tick.size() : profile.size()));
  if (!period) return std::nullopt;
  return IntervalName{is_tick, *period};
}

}  // namespace dscope
