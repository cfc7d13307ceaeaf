// Characters of UTF-8, for those who look at text that may be none: the lexer, excerpts and advice.
#pragma once

#include <cstddef>
#include <string_view>

namespace dscope {

struct Utf8Character {
  char32_t code = 0;
  size_t length = 0;  // in bytes; 0: not UTF-8
};

// The character that `text`, which is not empty, begins with.
Utf8Character first_character(std::string_view text);

// What editors of other systems write before the text.
inline constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

}  // namespace dscope
