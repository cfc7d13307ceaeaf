// TextFilter: which rows of a list are shown. The pattern is a substring, ignoring the case of ASCII letters unless it
// has a capital, or a glob that matches a whole key: "vfs_*".
#pragma once

#include <string>
#include <string_view>

namespace dscope {

class TextFilter {
 public:
  TextFilter() = default;
  explicit TextFilter(std::string pattern);

  const std::string& pattern() const { return pattern_; }
  bool is_empty() const { return pattern_.empty(); }
  bool matches(std::string_view text) const;
  // Where the first match of a substring begins; npos for globs and without a match.
  size_t find(std::string_view text) const;

 private:
  std::string pattern_;
  bool is_glob_ = false;
  bool ignores_case_ = false;
};

}  // namespace dscope
