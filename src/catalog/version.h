// Versions of D (d-language.md 11.3): the released versions, and the version that introduced each built-in name. A
// program that asks for an older version (-x version) may define later names itself.
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

// The D version of dscope, which has all names including dscope's extensions.
inline constexpr Version latest_version{2, 1, 0};

// Parses "MAJOR.MINOR[.MICRO]". Error: "Version is not properly formatted or is too large".
Result<Version> parse_version(std::string_view text);
// Whether a compiler of that version was ever released.
bool is_released(const Version& version);

// Returns the first version with the variable, subroutine, action or aggregating function `name`.
Version version_of(std::string_view name);

}  // namespace dscope
