#include "frontend/syntax/literal.h"

#include <array>
#include <limits>

namespace dscope {

namespace {

int digit_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return 99;
}

// Returns the offset after the suffix. The order of suffixes is fixed: `1lu` is 1l and a stray u.
size_t scan_suffix(std::string_view text, size_t at, bool& has_u, int& l_count) {
  auto is = [&](char lower, char upper) { return at < text.size() && (text[at] == lower || text[at] == upper); };
  if (is('u', 'U')) has_u = true, ++at;
  if (is('l', 'L')) l_count = 1, ++at;
  if (l_count == 1 && is('l', 'L')) l_count = 2, ++at;
  return at;
}

bool add_digit(uint64_t& value, unsigned base, unsigned digit) {
  return !__builtin_mul_overflow(value, base, &value) && !__builtin_add_overflow(value, digit, &value);
}

}  // namespace

bool choose_integer_type(uint64_t value, Radix radix, bool has_u, int l_count, IntLiteralType& type) {
  struct Row {
    IntLiteralType type;
    uint64_t max_value;
    bool is_unsigned;
    int max_l_count;  // the largest number of `l` suffixes
  };
  static constexpr std::array<Row, 6> rows{{
      {IntLiteralType::Int, std::numeric_limits<int32_t>::max(), false, 0},
      {IntLiteralType::UnsignedInt, std::numeric_limits<uint32_t>::max(), true, 0},
      {IntLiteralType::Long, std::numeric_limits<int64_t>::max(), false, 1},
      {IntLiteralType::UnsignedLong, std::numeric_limits<uint64_t>::max(), true, 1},
      {IntLiteralType::LongLong, std::numeric_limits<int64_t>::max(), false, 2},
      {IntLiteralType::UnsignedLongLong, std::numeric_limits<uint64_t>::max(), true, 2},
  }};
  for (const Row& row : rows) {
    if (row.max_l_count < l_count || (has_u && !row.is_unsigned)) continue;
    if (row.is_unsigned && !has_u && radix == Radix::Decimal) continue;
    if (value > row.max_value) continue;
    type = row.type;
    return true;
  }
  return false;
}

IntegerText scan_integer(std::string_view text) {
  IntegerText result;
  if (text.empty() || text[0] < '0' || text[0] > '9') return result;
  unsigned base = text[0] == '0' ? 8 : 10;
  size_t at = 0;
  if (text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X') && digit_value(text[2]) < 16) {
    base = 16;
    at = 2;
  }
  unsigned scanned_base = base == 8 ? 10 : base;  // scans 0128 as one constant with a bad digit
  for (; at < text.size(); ++at) {
    auto digit = static_cast<unsigned>(digit_value(text[at]));
    if (digit >= scanned_base) break;
    if (digit >= base) result.error = IntegerError::BadDigit;
    if (!add_digit(result.value, base, digit) && result.error == IntegerError::None)
      result.error = IntegerError::Overflow;
  }
  bool has_u = false;
  int l_count = 0;
  result.length = scan_suffix(text, at, has_u, l_count);
  if (result.error != IntegerError::None) return result;
  Radix radix = base == 10 ? Radix::Decimal : Radix::Other;
  if (!choose_integer_type(result.value, radix, has_u, l_count, result.type)) result.error = IntegerError::Overflow;
  return result;
}

namespace {

char control_character(char c) {
  switch (c) {
    case 'a': return '\a';
    case 'b': return '\b';
    case 'f': return '\f';
    case 'n': return '\n';
    case 'r': return '\r';
    case 't': return '\t';
    case 'v': return '\v';
    case '"': return '"';
    case '\\': return '\\';
    default: return 0;
  }
}

// Reads up to `max_digits` digits of `base` from text[at] on and returns the low byte of their value.
unsigned char read_number_escape(std::string_view text, size_t& at, int base, size_t max_digits) {
  unsigned value = 0;
  for (size_t used = 0; used < max_digits && at < text.size() && digit_value(text[at]) < base; ++used, ++at)
    value = (value * static_cast<unsigned>(base) + static_cast<unsigned>(digit_value(text[at]))) & 0xff;
  return static_cast<unsigned char>(value);
}

}  // namespace

std::string process_escapes(std::string_view quoted) {
  std::string bytes;
  bytes.reserve(quoted.size());
  for (size_t at = 0; at < quoted.size();) {
    char c = quoted[at++];
    if (c != '\\' || at == quoted.size()) {
      bytes += c;
      continue;
    }
    char next = quoted[at];
    if (digit_value(next) < 8) {
      bytes += static_cast<char>(read_number_escape(quoted, at, 8, 3));
    } else if (next == 'x' && at + 1 < quoted.size() && digit_value(quoted[at + 1]) < 16) {
      bytes += static_cast<char>(read_number_escape(quoted, ++at, 16, std::string_view::npos));
    } else if (char control = control_character(next)) {
      bytes += control;
      ++at;
    } else {
      // Unknown escapes, including \', keep their backslash: "\?" prints \?.
      bytes += '\\';
      bytes += next;
      ++at;
    }
  }
  return bytes;
}

}  // namespace dscope
