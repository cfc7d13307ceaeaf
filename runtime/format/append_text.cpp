#include "runtime/format/append_text.h"

#include <charconv>

namespace dscope {

void append_hex(std::string& out, uint64_t value) {
  char digits[16];
  auto end = std::to_chars(digits, digits + sizeof digits, value, 16).ptr;
  out.append(digits, end);
}

size_t utf8_length(std::string_view text) {
  auto byte = [&](size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  unsigned first = byte(0);
  if (!text.empty() && first < 0x80) return 1;
  size_t length = first >= 0xc2 && first < 0xe0   ? 2
                  : first >= 0xe0 && first < 0xf0 ? 3
                  : first >= 0xf0 && first < 0xf5 ? 4
                                                  : 0;
  for (size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xc0) != 0x80) return 0;
  bool is_overlong = (first == 0xe0 && byte(1) < 0xa0) || (first == 0xf0 && byte(1) < 0x90);
  bool is_no_character = (first == 0xed && byte(1) >= 0xa0) || (first == 0xf4 && byte(1) >= 0x90);
  return is_overlong || is_no_character ? 0 : length;
}

void append_utf8(std::string& out, uint32_t code_point) {
  auto continuation = [&](int shift) { out += static_cast<char>(0x80 | ((code_point >> shift) & 0x3f)); };
  if (code_point < 0x80) {
    out += static_cast<char>(code_point);
  } else if (code_point < 0x800) {
    out += static_cast<char>(0xc0 | (code_point >> 6));
    continuation(0);
  } else if (code_point < 0x10000) {
    out += static_cast<char>(0xe0 | (code_point >> 12));
    continuation(6);
    continuation(0);
  } else if (code_point < 0x110000) {
    out += static_cast<char>(0xf0 | (code_point >> 18));
    continuation(12);
    continuation(6);
    continuation(0);
  }
}

void append_c_escaped(std::string& out, std::string_view text) {
  constexpr std::string_view plain = "\a\b\f\n\r\t\v\"\\";
  constexpr std::string_view letters = "abfnrtv\"\\";
  for (char character : text) {
    auto byte = static_cast<unsigned char>(character);
    if (byte == 0) {
      out += "\\0";
      return;
    }
    if (size_t at = plain.find(character); at != std::string_view::npos) {
      out += '\\';
      out += letters[at];
    } else if (byte >= ' ' && byte <= '~') {
      out += character;
    } else {
      out += fmt::format("\\{:03o}", byte);
    }
  }
}

}  // namespace dscope
