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
std::optional<T> parse_integer(std::string_view text, int base = 10) {
  T value{};
  auto parsed = std::from_chars(text.data(), text.data() + text.size(), value, base);
  bool is_whole = parsed.ec == std::errc{} && parsed.ptr == text.data() + text.size();
  return is_whole ? std::optional{value} : std::nullopt;
}

}  // namespace dscope
