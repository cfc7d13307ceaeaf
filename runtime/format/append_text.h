// Appends numbers and padded text to a std::string. This is the inner loop of all printing, so it uses no snprintf.
// The comments give the equivalent printf conversions.
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

// Appends text with C escapes, as %S prints it. Stops at a NUL, which is appended as "\0".
void append_c_escaped(std::string& out, std::string_view text);

// Length in bytes of the well-formed UTF-8 character at the start of `text`; 0 if there is none.
size_t utf8_length(std::string_view text);

// Appends one code point as UTF-8 ("%lc"); nothing for numbers above U+10FFFF.
void append_utf8(std::string& out, uint32_t code_point);

}  // namespace dscope
