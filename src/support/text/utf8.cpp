#include "support/text/utf8.h"

namespace dscope {

Utf8Character first_character(std::string_view text) {
  auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  unsigned first = byte(0);
  size_t length = first < 0x80 ? 1 : first >= 0xc2 && first < 0xe0 ? 2 : first >= 0xe0 && first < 0xf0 ? 3 : 4;
  if ((first >= 0x80 && first < 0xc2) || first > 0xf4 || text.size() < length) return {};
  char32_t code = length == 1 ? first : first & (0x7fU >> length);
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0U) != 0x80) return {};
    code = code << 6 | (byte(i) & 0x3fU);
  }
  constexpr char32_t min_code[] = {0, 0, 0x80, 0x800, 0x10000};
  bool is_surrogate = code >= 0xd800 && code <= 0xdfff;
  return code < min_code[length] || code > 0x10ffff || is_surrogate ? Utf8Character{} : Utf8Character{code, length};
}

}  // namespace dscope
