// Decodes UTF-8 characters in text that may be invalid UTF-8. For the lexer, excerpts and advice.
#pragma once

#include <cstddef>
#include <string_view>

namespace dscope {

struct Utf8Character {
  char32_t code = 0;
  size_t length = 0;  // in bytes; 0: not UTF-8
};

// The first character of `text`, which must not be empty.
Utf8Character first_character(std::string_view text);

// Editors on other systems write it in front of the text.
inline constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

}  // namespace dscope
