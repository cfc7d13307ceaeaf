// Reads little-endian numbers and bytes of a file that anyone may have written. After a failure it returns zeros.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

namespace dscope {

class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : bytes_(bytes) {}

  template <std::unsigned_integral Number>
  Number next() {
    Number number = 0;
    std::ranges::copy(bytes(sizeof number), reinterpret_cast<char*>(&number));
    return number;
  }
  uint32_t u32() { return next<uint32_t>(); }
  uint64_t u64() { return next<uint64_t>(); }

  // The next bytes; empty if there are fewer.
  std::string_view bytes(uint64_t size) {
    if (size > bytes_.size()) {
      fail();
      return {};
    }
    std::string_view result = bytes_.substr(0, static_cast<size_t>(size));
    bytes_.remove_prefix(static_cast<size_t>(size));
    return result;
  }
  // Up to the next NUL, which is skipped.
  std::string_view text() {
    size_t end = bytes_.find('\0');
    if (end == std::string_view::npos) {
      fail();
      return {};
    }
    std::string_view result = bytes_.substr(0, end);
    bytes_.remove_prefix(end + 1);
    return result;
  }
  std::string_view rest() const { return bytes_; }
  uint64_t left() const { return bytes_.size(); }
  bool has_failed() const { return has_failed_; }
  void fail() {
    has_failed_ = true;
    bytes_ = {};
  }

 private:
  std::string_view bytes_;
  bool has_failed_ = false;
};

// The bytes of `text` up to its first NUL, of a field of fixed size.
inline std::string_view until_nul(std::string_view text) { return text.substr(0, text.find('\0')); }

}  // namespace dscope
