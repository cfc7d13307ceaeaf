#include "catalog/time_units.h"

#include "support/text/words.h"

namespace dscope {
namespace {

struct Unit {
  std::string_view name;
  int64_t nanoseconds;
};

constexpr int64_t second = nanoseconds_per_second;
constexpr Unit units[] = {{"ns", 1},
                          {"nsec", 1},
                          {"us", 1'000},
                          {"usec", 1'000},
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

}  // namespace

std::optional<int64_t> nanoseconds_of_unit(std::string_view unit) {
  for (const Unit& row : units)
    if (equals_ignoring_case(row.name, unit)) return row.nanoseconds;
  return std::nullopt;
}

}  // namespace dscope
