// Shell-style patterns as probe descriptions, option values and symbol names use them: `*`, `?`, `[set]`, `[a-z]`,
// `[!set]`, `\c`. Anchored at both ends, case-sensitive, bytes.
#pragma once

#include <string_view>

namespace dscope {

// Whether `pattern` has any of the characters that make it more than a name: `[ ? * \`.
bool is_glob(std::string_view pattern);
// Whether all of `text` matches `pattern`. The empty pattern matches only the empty text.
bool glob_matches(std::string_view pattern, std::string_view text);
// What every matching text begins with: "tick-" of "tick-*".
std::string_view glob_prefix(std::string_view pattern);

}  // namespace dscope
