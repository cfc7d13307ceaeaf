#include "catalog/version.h"

#include <algorithm>
#include <charconv>
#include <iterator>

namespace dscope {

namespace {

struct VersionRow {
  Version version;
  std::string_view names;
};
constexpr VersionRow rows[] = {
#define DS_VERSION(major, minor, micro, names) {{major, minor, micro}, names},
#include "catalog/versions.def"
#undef DS_VERSION
};

bool has_word(std::string_view words, std::string_view word) {
  while (!words.empty()) {
    size_t end = std::min(words.find(' '), words.size());
    if (words.substr(0, end) == word) return true;
    words.remove_prefix(std::min(end + 1, words.size()));
  }
  return false;
}

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

bool is_released(const Version& version) {
  return std::any_of(std::begin(rows), std::end(rows), [&](const VersionRow& row) { return row.version == version; });
}

Version version_of(std::string_view name) {
  for (const VersionRow& row : rows)
    if (has_word(row.names, name)) return row.version;
  return rows[0].version;
}

}  // namespace dscope
