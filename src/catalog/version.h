// The released versions of D (d-language.md 11.3). A program that asks for an older version (-x version) may define
// later names itself; version_of() in catalog.h returns the version of a name.
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

// D1_0, D1_1, ...: the released versions.
#define DS_VERSION(id, major, minor, micro) inline constexpr Version id{major, minor, micro};
#include "catalog/versions.def"
#undef DS_VERSION

// The D version of dscope, which has all names including dscope's extensions.
inline constexpr Version latest_version = D2_1;

// Parses "MAJOR.MINOR[.MICRO]". Error: "Version is not properly formatted or is too large".
Result<Version> parse_version(std::string_view text);
// Whether a compiler of that version was ever released.
bool is_released(const Version& version);

}  // namespace dscope
