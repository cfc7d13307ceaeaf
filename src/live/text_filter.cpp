#include "live/text_filter.h"

#include <algorithm>
#include <utility>

#include "support/text/glob.h"

namespace dscope {

namespace {

char lower(char c) { return static_cast<char>(c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c); }

}  // namespace

TextFilter::TextFilter(std::string pattern)
    : pattern_(std::move(pattern)),
      is_glob_(is_glob(pattern_)),
      ignores_case_(std::ranges::none_of(pattern_, [](char c) { return c >= 'A' && c <= 'Z'; })) {}

size_t TextFilter::find(std::string_view text) const {
  if (is_glob_ || pattern_.empty()) return text.npos;
  if (!ignores_case_) return text.find(pattern_);
  auto found = std::search(text.begin(), text.end(), pattern_.begin(), pattern_.end(),
                           [](char a, char b) { return lower(a) == b; });
  return found == text.end() ? text.npos : static_cast<size_t>(found - text.begin());
}

bool TextFilter::matches(std::string_view text) const {
  if (pattern_.empty()) return true;
  return is_glob_ ? glob_matches(pattern_, text) : find(text) != text.npos;
}

}  // namespace dscope
