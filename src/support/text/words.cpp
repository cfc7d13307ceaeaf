#include "support/text/words.h"

#include <algorithm>

#include "support/format.h"

namespace dscope {

bool is_word_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

bool equals_ignoring_case(std::string_view a, std::string_view b) {
  auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return std::ranges::equal(a, b, {}, lower, lower);
}

std::string printable(std::string_view text) {
  std::string shown;
  for (char c : text) {
    auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f) shown += fmt::format("\\{:03o}", byte);
    else shown += c;
  }
  return shown;
}

void replace_all(std::string& text, std::string_view part, std::string_view by) {
  for (size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += by.size())
    text.replace(at, part.size(), by);
}

void add_words(std::string_view text, Words& words) {
  for (size_t at = 0; at < text.size();) {
    if (!is_word_char(text[at])) {
      ++at;
      continue;
    }
    size_t end = at;
    while (end < text.size() && is_word_char(text[end])) ++end;
    words.insert(text.substr(at, end - at));
    at = end;
  }
}

}  // namespace dscope
