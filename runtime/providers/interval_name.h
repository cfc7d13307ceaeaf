// Names of the profile provider: "profile-997", "tick-10ms". Used by the provider and by the host of the tests.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>

#include "support/time_units.h"
#include "support/words.h"

namespace dscope {

struct IntervalName {
  bool is_tick = false;
  uint64_t period_ns = 0;
};

// Shorter ones would keep the machine busy with nothing else: 5000 firings per second.
constexpr uint64_t shortest_interval_ns = 200'000;

// Nanoseconds of "10ms", "997" (per second) and so on; nothing if it is none or does not fit.
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

// Whether the name begins as one of this provider does; what follows may make no sense.
inline bool is_interval_word(std::string_view name) {
  return name.starts_with("tick-") || name.starts_with("profile-");
}

// Any length of interval; callers refuse those below `shortest_interval_ns`.
inline std::optional<IntervalName> read_interval_name(std::string_view name) {
  constexpr std::string_view tick = "tick-", profile = "profile-";
  bool is_tick = name.starts_with(tick);
  if (!is_tick && !name.starts_with(profile)) return std::nullopt;
  auto period = read_interval(name.substr(is_tick ? tick.size() : profile.size()));
  if (!period) return std::nullopt;
  return IntervalName{is_tick, *period};
}

}  // namespace dscope
