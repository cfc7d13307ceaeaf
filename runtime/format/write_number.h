// Writes numbers into a buffer. The length is computed first, so that the digits need no second copy.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace dscope {

inline constexpr size_t max_digits = 20;  // of 64 bits, with the sign

inline constexpr std::array<char, 200> digit_pairs = [] {
  std::array<char, 200> pairs{};
  for (size_t i = 0; i < 100; ++i) {
    pairs[i * 2] = static_cast<char>('0' + i / 10);
    pairs[i * 2 + 1] = static_cast<char>('0' + i % 10);
  }
  return pairs;
}();

inline constexpr std::array<uint64_t, 20> powers_of_10 = [] {
  std::array<uint64_t, 20> powers{};
  uint64_t power = 1;
  for (uint64_t& each : powers) {
    each = power;
    power *= 10;
  }
  powers[0] = 0;  // zero has one digit
  return powers;
}();

inline size_t count_digits(uint64_t value) {
  // 1233 / 4096 is slightly more than log10(2): the estimate is exact or one too low.
  auto estimate = static_cast<size_t>(std::bit_width(value | 1) * 1233 >> 12);
  return estimate + (value >= powers_of_10[estimate] ? 1 : 0);
}

inline size_t count_hex_digits(uint64_t value) { return (static_cast<size_t>(std::bit_width(value | 1)) + 3) / 4; }

// Writes the last digits of `value` before `end`. Number is uint32_t where it can be: its divisions are cheaper.
template <typename Number>
inline void write_decimal_before(char* end, Number value) {
  while (value >= 100) {
    end -= 2;
    std::memcpy(end, &digit_pairs[static_cast<size_t>(value % 100) * 2], 2);
    value /= 100;
  }
  if (value >= 10) std::memcpy(end - 2, &digit_pairs[static_cast<size_t>(value) * 2], 2);
  else end[-1] = static_cast<char>('0' + value);
}

// "%llu". `digits` is count_digits(value). Returns the end.
inline char* write_decimal(char* out, uint64_t value, size_t digits) {
  char* end = out + digits;
  if (value <= UINT32_MAX) write_decimal_before(end, static_cast<uint32_t>(value));
  else write_decimal_before(end, value);
  return end;
}

// "%llx". `digits` is count_hex_digits(value). Returns the end.
inline char* write_hex(char* out, uint64_t value, size_t digits) {
  char* end = out + digits;
  for (char* at = end; at != out; value >>= 4) *--at = "0123456789abcdef"[value & 15];
  return end;
}

}  // namespace dscope
