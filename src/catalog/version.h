// Versions of D (d-language.md 11.3): which there are, and since which one a built-in name exists. A program that asks
// for an older version (-x version) may use later names for its own purposes.
#pragma once

#include <compare>
#include <cstdint>
#include <string_view>

#include "support/result.h"

namespace dscope {

struct Version {
  uint32_t major = 0, minor = 0, micro = 0;
  auto operator<=>(const Version&) const = default;
};

// The version this program speaks: that of all names, dscope's own extensions included.
inline constexpr Version latest_version{2, 1, 0};

// "MAJOR.MINOR[.MICRO]". Errors: "Version is not properly formatted or is too large".
Result<Version> parse_version(std::string_view text);
// Whether compilers of that version were ever released.
bool is_released(const Version& version);

// The first version that has the variable, subroutine, action or aggregating function `name`.
Version version_of(std::string_view name);

}  // namespace dscope
