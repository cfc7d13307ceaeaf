#include "catalog/version.h"

#include <algorithm>
#include <charconv>
#include <iterator>

namespace dscope {

namespace {

constexpr Version released[] = {
#define DS_VERSION(id, ...) id,
#include "catalog/versions.def"
#undef DS_VERSION
};

}  // namespace

Result<Version> parse_version(std::string_view text) {
  constexpr uint32_t max_major = 0xff, max_other = 0xfff;
  auto malformed = fail(Error{"Version is not properly formatted or is too large"});
  uint32_t parts[3] = {};
  size_t count = 0;
  for (const char *at = text.data(), *end = text.data() + text.size();; ++at) {
    if (count == std::size(parts)) return malformed;
    auto [after, problem] = std::from_chars(at, end, parts[count]);
    if (problem != std::errc{} || parts[count] > (count == 0 ? max_major : max_other)) return malformed;
    ++count;
    at = after;
    if (at == end) break;
    if (*at != '.') return malformed;
  }
  if (count < 2) return malformed;
  return Version{parts[0], parts[1], parts[2]};
}

bool is_released(const Version& version) { return std::ranges::find(released, version) != std::end(released); }

}  // namespace dscope
