// Numbers, sizes and times in the values of options.
#include "catalog/option_numbers.h"

#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <optional>
#include <string>

#include "catalog/time_units.h"
#include "support/text/words.h"

namespace dscope {

namespace {

struct ScannedNumber {
  int64_t value;
  std::string_view rest;  // the text after the digits
};

// Scans an unsigned number in any C base at the start of `text`. Returns nullopt if there is none or it overflows.
std::optional<ScannedNumber> scan_number(std::string_view text) {
  if (text.empty() || !std::isdigit(static_cast<unsigned char>(text[0]))) return std::nullopt;
  std::string copy{text};
  char* end = nullptr;
  errno = 0;
  unsigned long long value = std::strtoull(copy.c_str(), &end, 0);
  if (errno != 0 || value > static_cast<unsigned long long>(no_limit)) return std::nullopt;
  return ScannedNumber{static_cast<int64_t>(value), text.substr(static_cast<size_t>(end - copy.c_str()))};
}

}  // namespace

tl::unexpected<Error> invalid_value() { return fail(Error{"Invalid value for specified option"}); }

Result<int64_t> parse_number(std::string_view text) {
  auto number = scan_number(text);
  if (!number || !number->rest.empty()) return invalid_value();
  return number->value;
}

// Returns 1 for on and `unset_option` for off: an option that is off counts as never set.
Result<int64_t> parse_bool(std::string_view text) {
  struct Word {
    std::string_view word;
    int64_t value;
  };
  static constexpr Word words[] = {{"yes", 1},
                                   {"enable", 1},
                                   {"enabled", 1},
                                   {"true", 1},
                                   {"on", 1},
                                   {"set", 1},
                                   {"no", unset_option},
                                   {"disable", unset_option},
                                   {"disabled", unset_option},
                                   {"false", unset_option},
                                   {"off", unset_option},
                                   {"unset", unset_option},
                                   {"", unset_option}};
  for (const Word& word : words)
    if (equals_ignoring_case(word.word, text)) return word.value;
  return parse_number(text);
}

Result<int64_t> parse_size(std::string_view text) {
  auto number = scan_number(text);
  if (!number || number->rest.size() > 1) return invalid_value();
  int shift = 0;
  if (!number->rest.empty()) {
    size_t unit = std::string_view{"kmgt"}.find(static_cast<char>(std::tolower(number->rest[0])));
    if (unit == std::string_view::npos) return invalid_value();
    shift = 10 * (static_cast<int>(unit) + 1);
  }
  if (number->value > no_limit >> shift) return invalid_value();
  return number->value << shift;
}

// Returns a period in nanoseconds.
Result<int64_t> parse_rate(std::string_view text) {
  auto number = scan_number(text);
  if (!number) return invalid_value();
  if (equals_ignoring_case(number->rest, "hz")) {
    if (number->value == 0) return invalid_value();
    return nanoseconds_per_second / number->value;
  }
  auto unit = number->rest.empty() ? 1 : nanoseconds_of_unit(number->rest);
  if (!unit || number->value > no_limit / *unit) return invalid_value();
  return number->value * *unit;
}

// Seconds, or a time with a unit, in nanoseconds.
Result<int64_t> parse_duration(std::string_view text) {
  auto number = scan_number(text);
  if (!number) return invalid_value();
  auto unit = number->rest.empty() ? nanoseconds_per_second : nanoseconds_of_unit(number->rest);
  if (!unit || number->value > no_limit / *unit) return invalid_value();
  return number->value * *unit;
}

Result<int64_t> parse_strsize(std::string_view text) {
  DS_TRY(int64_t size, parse_size(text));
  if (size > std::numeric_limits<uint32_t>::max()) return fail(Error{std::strerror(EOVERFLOW)});
  return size;
}

// Rounds the size up to whole words. A size outside the limits becomes the size of an Ethernet packet.
Result<int64_t> parse_pcapsize(std::string_view text) {
  constexpr int64_t default_size = 1514, max_size = 64 << 10, word = 8;
  DS_TRY(int64_t size, parse_size(text));
  if (size <= 0 || size > max_size) size = default_size;
  return (size + word - 1) / word * word;
}

// As parse_pcapsize(), for the bytes of an object that print() shows.
Result<int64_t> parse_printsize(std::string_view text) {
  constexpr int64_t default_size = 8192, max_size = 64 << 10, word = 8;
  DS_TRY(int64_t size, parse_size(text));
  if (size <= 0 || size > max_size) size = default_size;
  return (size + word - 1) / word * word;
}

}  // namespace dscope
