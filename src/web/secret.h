// Comparing secrets.
#pragma once

#include <cstddef>
#include <string_view>

namespace dscope {

// Takes the same time for all texts of the same length, so that nobody can guess a secret letter by letter.
inline bool equals_secret(std::string_view text, std::string_view secret) {
  if (text.size() != secret.size()) return false;
  unsigned difference = 0;
  for (size_t i = 0; i < text.size(); ++i) difference |= static_cast<unsigned char>(text[i] ^ secret[i]);
  return difference == 0;
}

}  // namespace dscope
