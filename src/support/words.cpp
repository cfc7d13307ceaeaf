#include "support/words.h"

namespace dscope {

bool is_word_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
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
