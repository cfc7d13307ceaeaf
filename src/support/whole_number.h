// Reading a text that is a number and nothing else.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>

namespace dscope {

// The number that the whole of `text` spells in `base`, without sign (for signed T a minus is taken) and without
// blanks; nothing if there is anything else in it, if it is empty, or if T cannot hold the number.
template <typename T = uint64_t>
std::optional<T> whole_number(std::string_view text, int base = 10) {
  T value{};
  const char* end = text.data() + text.size();
  auto parsed = std::from_chars(text.data(), end, value, base);
  return parsed.ec == std::errc{} && parsed.ptr == end ? std::optional{value} : std::nullopt;
}

}  // namespace dscope
