// Writes numbers into a buffer.
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

// The 8 digits of a value below 10^8, from the lowest byte on: 42 gives 0x0204 << 48. Divides all parts at once by
// multiplications.
inline uint64_t eight_digits(uint32_t value) {
  uint64_t halves = value / 10000 | uint64_t{value % 10000} << 32;
  uint64_t hundreds = (halves * 10486 >> 20) & 0x7f'0000'007f;
  uint64_t pairs = hundreds | (halves - hundreds * 100) << 16;
  uint64_t tens = (pairs * 103 >> 10) & 0x000f'000f'000f'000f;
  return tens | (pairs - tens * 10) << 8;
}

inline char* write_eight_digits(char* out, uint32_t value) {
  uint64_t text = eight_digits(value) | 0x3030'3030'3030'3030;
  std::memcpy(out, &text, sizeof text);
  return out + sizeof text;
}

// write_eight_digits() without the leading zeros of the number.
inline char* write_up_to_eight_digits(char* out, uint32_t value) {
  uint64_t digits = eight_digits(value);
  auto zeros = static_cast<unsigned>(std::countr_zero(digits | uint64_t{1} << 56)) / 8;
  uint64_t text = (digits | 0x3030'3030'3030'3030) >> (zeros * 8);
  std::memcpy(out, &text, sizeof text);
  return out + sizeof text - zeros;
}

// "%llu", where the length is not needed first. Writes max_digits bytes at most, also beyond the end, which it returns.
inline char* write_decimal(char* out, uint64_t value) {
  static_assert(std::endian::native == std::endian::little);
  constexpr uint64_t block = 100'000'000;
  if (value < 10) {
    *out = static_cast<char>('0' + value);
    return out + 1;
  }
  if (value < block) return write_up_to_eight_digits(out, static_cast<uint32_t>(value));
  uint64_t high = value / block;
  if (high < block) {
    out = write_up_to_eight_digits(out, static_cast<uint32_t>(high));
  } else {
    out = write_up_to_eight_digits(out, static_cast<uint32_t>(high / block));
    out = write_eight_digits(out, static_cast<uint32_t>(high % block));
  }
  return write_eight_digits(out, static_cast<uint32_t>(value % block));
}

// "%llx". `digits` is count_hex_digits(value). Returns the end.
inline char* write_hex(char* out, uint64_t value, size_t digits) {
  char* end = out + digits;
  for (char* at = end; at != out; value >>= 4) *--at = "0123456789abcdef"[value & 15];
  return end;
}

}  // namespace dscope
