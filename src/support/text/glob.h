// Shell-style patterns of probe descriptions, option values and symbol names: `*`, `?`, `[set]`, `[a-z]`, `[!set]`,
// `\c`. They are anchored at both ends, case-sensitive, and match bytes.
#pragma once

#include <string_view>

namespace dscope {

// Whether `pattern` contains one of the special characters `[ ? * \`.
bool is_glob(std::string_view pattern);
// Whether all of `text` matches `pattern`. The empty pattern matches only the empty text.
bool glob_matches(std::string_view pattern, std::string_view text);
// The prefix of every matching text: "tick-" for "tick-*".
std::string_view glob_prefix(std::string_view pattern);

}  // namespace dscope
