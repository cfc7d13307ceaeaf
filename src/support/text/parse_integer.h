// Parses a text that consists of a number only.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>

namespace dscope {

// The value of `text` as a number in `base`. Nothing if `text` is empty or contains anything but digits (signed T: and
// a leading minus), or if T cannot hold the number.
template <typename T = uint64_t>
std::optional<T> parse_integer(std::string_view text, int base = 10) {
  T value{};
  auto parsed = std::from_chars(text.data(), text.data() + text.size(), value, base);
  bool is_whole = parsed.ec == std::errc{} && parsed.ptr == text.data() + text.size();
  return is_whole ? std::optional{value} : std::nullopt;
}

}  // namespace dscope
