// Names of the profile provider: "profile-997", "tick-10ms". Used by the provider and by the host of the tests.
#pragma once

#include <cctype>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace dscope {

struct IntervalName {
  bool is_tick = false;
  uint64_t period_ns = 0;
};

// Shorter ones would keep the machine busy with nothing else: 5000 firings per second.
constexpr uint64_t shortest_interval_ns = 200'000;

// Nanoseconds of "10ms", "997" (per second) and so on; nothing if it is none or does not fit.
inline std::optional<uint64_t> read_interval(std::string_view text) {
  struct Unit {
    std::string_view name;
    uint64_t nanoseconds;
  };
  constexpr uint64_t second = 1'000'000'000;
  constexpr Unit units[] = {{"ns", 1},
                            {"nsec", 1},
                            {"us", 1000},
                            {"usec", 1000},
                            {"ms", 1'000'000},
                            {"msec", 1'000'000},
                            {"s", second},
                            {"sec", second},
                            {"m", 60 * second},
                            {"min", 60 * second},
                            {"h", 3600 * second},
                            {"hour", 3600 * second},
                            {"d", 86400 * second},
                            {"day", 86400 * second}};
  uint64_t count = 0;
  auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (status != std::errc{} || count == 0) return std::nullopt;
  std::string unit;
  for (const char* c = end; c != text.data() + text.size(); ++c)
    unit += static_cast<char>(std::tolower(static_cast<unsigned char>(*c)));
  if (unit.empty() || unit == "hz") return second / count;
  for (const Unit& row : units)
    if (unit == row.name && count <= INT64_MAX / row.nanoseconds) return count * row.nanoseconds;
  return std::nullopt;
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
