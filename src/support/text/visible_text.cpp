#include "support/text/visible_text.h"

#include <algorithm>

#include "support/format.h"
#include "support/text/utf8.h"

namespace dscope {

namespace {

bool is_printable_ascii(char c) { return c >= 0x20 && c < 0x7f; }

// No early exit, so that the compiler vectorizes the loop: nearly every name and string is plain.
bool is_all_printable_ascii(std::string_view text) {
  bool is_plain = true;
  for (char c : text) is_plain &= is_printable_ascii(c);
  return is_plain;
}

void append_visible_byte(std::string& out, unsigned char byte) {
  if (byte >= 0x80) {
    out += "M-";
    byte = static_cast<unsigned char>(byte & 0x7f);
  }
  if (byte < 0x20 || byte == 0x7f) {
    out += '^';
    byte = static_cast<unsigned char>(byte ^ 0x40);
  }
  out += static_cast<char>(byte);
}

void append_visible_bytes(std::string& out, std::string_view bytes) {
  for (char byte : bytes) append_visible_byte(out, static_cast<unsigned char>(byte));
}

void append_visible_but(std::string& out, std::string_view text, std::string_view kept) {
  if (is_all_printable_ascii(text)) {
    out += text;
    return;
  }
  while (!text.empty()) {
    Utf8Character character = first_character(text);
    std::string_view bytes = text.substr(0, std::max<size_t>(character.length, 1));
    bool is_control = character.length == 0 || is_terminal_control(character.code);
    if (!is_control || kept.find(bytes) != kept.npos) out += bytes;
    else append_visible_bytes(out, bytes);
    text.remove_prefix(bytes.size());
  }
}

}  // namespace

bool is_terminal_control(char32_t code) {
  bool is_c0_or_c1 = code < 0x20 || (code >= 0x7f && code < 0xa0);
  bool is_separator_or_direction = code == 0x61c || code == 0x200e || code == 0x200f ||
                                   (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
  return is_c0_or_c1 || is_separator_or_direction;
}

void append_visible(std::string& out, std::string_view text) { append_visible_but(out, text, "\n\t"); }

std::string visible_text(std::string_view text) {
  std::string visible;
  append_visible(visible, text);
  return visible;
}

void append_visible_line(std::string& out, std::string_view text) { append_visible_but(out, text, ""); }

std::string visible_line(std::string_view text) {
  std::string visible;
  append_visible_line(visible, text);
  return visible;
}

void append_visible_line_ends(std::string& out, std::string_view text) {
  for (size_t end; (end = text.find_first_of("\n\v\f\r")) != text.npos; text.remove_prefix(end + 1)) {
    out += text.substr(0, end);
    append_visible_bytes(out, text.substr(end, 1));
  }
  out += text;
}

std::string without_controls_in_json(std::string json) {
  if (is_all_printable_ascii(json)) return json;
  std::string safe;
  for (std::string_view rest = json; !rest.empty();) {
    Utf8Character character = first_character(rest);
    size_t length = std::max<size_t>(character.length, 1);
    // JSON text has the other control characters only between its tokens.
    bool is_control = character.length != 0 && character.code >= 0x7f && is_terminal_control(character.code);
    if (is_control) safe += fmt::format("\\u{:04x}", static_cast<uint32_t>(character.code));
    else safe += rest.substr(0, length);
    rest.remove_prefix(length);
  }
  return safe;
}

}  // namespace dscope
