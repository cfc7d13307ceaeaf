// Appending numbers and padded text to a std::string: the hot inner part of all printing, so no snprintf here.
// The names carry the printf conversion they stand for.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "support/format.h"

namespace dscope {

inline void append_signed(std::string& out, int64_t value) {
  fmt::format_int digits(value);
  out.append(digits.data(), digits.size());
}
inline void append_unsigned(std::string& out, uint64_t value) {
  fmt::format_int digits(value);
  out.append(digits.data(), digits.size());
}

inline void append_blanks(std::string& out, size_t count) { out.append(count, ' '); }

// "%{width}s"
inline void append_right(std::string& out, std::string_view text, size_t width) {
  if (text.size() < width) append_blanks(out, width - text.size());
  out.append(text);
}
// "%-{width}s"
inline void append_left(std::string& out, std::string_view text, size_t width) {
  out.append(text);
  if (text.size() < width) append_blanks(out, width - text.size());
}
// "%{width}lld"
inline void append_signed(std::string& out, int64_t value, size_t width) {
  fmt::format_int digits(value);
  append_right(out, {digits.data(), digits.size()}, width);
}
// "%{width}llu"
inline void append_unsigned(std::string& out, uint64_t value, size_t width) {
  fmt::format_int digits(value);
  append_right(out, {digits.data(), digits.size()}, width);
}

// "%llx"
void append_hex(std::string& out, uint64_t value);

// Appends traced text so that it cannot drive a terminal: control characters other than newline and tab become
// visible ("^[", "M-^A"), well-formed UTF-8 stays.
void append_visible(std::string& out, std::string_view text);

// Appends text with C's escapes, as %S prints it; NUL shows as "\0" and ends it.
void append_c_escaped(std::string& out, std::string_view text);

// Bytes of the well-formed UTF-8 character that `text` starts with; 0 if there is none.
size_t utf8_length(std::string_view text);

// Appends one code point as UTF-8 ("%lc"); nothing for what is no code point.
void append_utf8(std::string& out, uint32_t code_point);

}  // namespace dscope
