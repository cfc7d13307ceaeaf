// Lists in one string: words separated by single blanks, as in the .def tables, and parts with other separators.
#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

namespace dscope {

inline bool has_word(std::string_view words, std::string_view word) {
  while (!words.empty()) {
    size_t end = std::min(words.find(' '), words.size());
    if (words.substr(0, end) == word) return true;
    words.remove_prefix(std::min(end + 1, words.size()));
  }
  return false;
}

inline std::vector<std::string_view> words_of(std::string_view list) {
  std::vector<std::string_view> words;
  while (!list.empty()) {
    size_t end = std::min(list.find(' '), list.size());
    words.push_back(list.substr(0, end));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return words;
}

// The non-empty parts of `text` between characters of `separators`.
inline std::vector<std::string_view> parts_of(std::string_view text, std::string_view separators) {
  std::vector<std::string_view> parts;
  for (size_t begin = text.find_first_not_of(separators); begin < text.size();) {
    size_t end = std::min(text.find_first_of(separators, begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = text.find_first_not_of(separators, end);
  }
  return parts;
}

// Removes the text up to `separator` from the front of `rest` and returns it.
inline std::string_view split_front(std::string_view& rest, std::string_view separator) {
  std::string_view part = rest.substr(0, rest.find(separator));
  rest.remove_prefix(std::min(rest.size(), part.size() + separator.size()));
  return part;
}

}  // namespace dscope
